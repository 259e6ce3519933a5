"""Decks: which tag is which card, learned card by card at one antenna; counting a deck; spare cards.

    reader ─ Sweep ─▶ presence ─ one card, several tags, gone ─▶ sitting | spares ─▶ deck file
                └──────────────────────────────────────────────▶ count

Owns: the guided order, what is refused and why, the work file of an interrupted enrolment, and the desk that
connects a reader, a keyboard and a screen.
Refuses: readers (`shell.readers`), the deck file's format (`config.decks`), how it looks on a terminal (`cli`).

In a blind table the pair tag ↔ card exists only in the memory of the process that enrols: neither the deck file nor
the work file holds it, nor the order in which the cards came.
"""
