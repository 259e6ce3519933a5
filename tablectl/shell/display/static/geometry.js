// Where everything lies on the drawn table. Owns coordinates only (one unit is one CSS pixel at 800×480).
//
// The dealer sits at the bottom centre; seats run clockwise from the dealer's left: up the left side, along the
// top, down the right side. Seats are spread evenly along the rail, a superellipse, with a gap for the dealer.

const STEPS = 720;

function rail(w, h, inset) {
  const a = w / 2 - inset, b = h / 2 - inset;
  const power = 2 / (w > 1.3 * h ? 3.1 : 2.7);
  const bend = (v) => Math.sign(v) * Math.abs(v) ** power;
  const points = [];
  for (let n = 0; n <= STEPS; n += 1) {
    // From the bottom centre clockwise as seen from above: 90° in screen terms, growing.
    const angle = Math.PI / 2 + (2 * Math.PI * n) / STEPS;
    points.push([w / 2 + a * bend(Math.cos(angle)), h / 2 + b * bend(Math.sin(angle))]);
  }
  return points;
}

function walk(points) {
  const along = [0];
  for (let n = 1; n < points.length; n += 1) {
    along.push(along[n - 1] + Math.hypot(points[n][0] - points[n - 1][0], points[n][1] - points[n - 1][1]));
  }
  const total = along[along.length - 1];
  return {
    total,
    at(distance) {
      let n = 1;
      while (n < along.length - 1 && along[n] < distance) n += 1;
      const [from, to] = [points[n - 1], points[n]];
      const part = (distance - along[n - 1]) / (along[n] - along[n - 1] || 1);
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = Math.hypot(dx, dy) || 1;
      // Going clockwise, the table's inside is to the right hand.
      return { x: from[0] + part * dx, y: from[1] + part * dy, tx: dx / length, ty: dy / length, nx: -dy / length, ny: dx / length };
    },
  };
}

export const outline = (w, h, inset) => `M${rail(w, h, inset).map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;

const TOUCH_R = 34; // half a touch target: 68 px are 12 mm on a 7 inch screen

// Beside the alarm panel the table is narrow: everything is drawn smaller, nothing is left out.
function sizes(w, h) {
  if (w < 480) return { small: true, r: 26, cards: { w: 17, h: 24 }, reach: 43, board: { w: 22, h: 31, gap: 3 }, button: { in: 18, along: 24 } };
  const k = Math.max(0.62, Math.min(1, h / 350));
  const low = h < 310; // under the strips of two faults
  return { small: false, r: 29, cards: low ? { w: 19, h: 26 } : { w: 23, h: 32 }, reach: low ? 47 : 54, board: { w: 50 * k, h: 70 * k, gap: 8 * k }, button: { in: 8, along: 48 } };
}

const beside = (at, inward, along) => ({ x: at.x + at.nx * inward + at.tx * along, y: at.y + at.ny * inward + at.ty * along });

export function place(w, h, seats) {
  const size = sizes(w, h);
  const { small, r, cards, board, reach } = size;
  const edge = r + (small ? 11 : 7); // beside an alarm its frame lies on the outermost 6 px
  const ring = walk(rail(w, h, edge));
  const slot = ring.total / (seats + 1.3);
  const spots = {};
  for (let seat = 1; seat <= seats; seat += 1) {
    const at = ring.at(slot * (1.15 + seat - 1));
    spots[seat] = {
      ...at,
      cards: { x: at.x + at.nx * reach, y: at.y + at.ny * reach },
      // The button lies beside the cards, towards the seat before; a straddle on their other side.
      button: beside(at, r + size.button.in, -size.button.along), straddle: beside(at, r + size.button.in, size.button.along),
    };
  }
  const cx = w / 2, cy = h / 2 - (small ? 6 : 10);
  const width = 5 * board.w + 4 * board.gap;
  const top = cy - board.h * (small ? 1.05 : 0.74);
  const slots = [0, 1, 2, 3, 4].map((n) => ({ x: cx - width / 2 + n * (board.w + board.gap), y: top }));
  const low = top + board.h + (small ? 26 : 10 + cards.h * 0.9);
  const half = Math.max(width / 2 - 66, 54), [left, right] = small ? [42, 18] : [half, half]; // room for the name of a pile
  // Boards that are run more than once lie one below the other, in the place of one.
  const rows = (count) => {
    const gap = 4, height = (board.h * (small ? 1 : 1.28) - gap * (count - 1)) / count;
    const card = { w: Math.min(height * 1.6, board.w), h: height, gap: Math.min(board.gap, 5) };
    const wide = 5 * card.w + 4 * card.gap, first = top + board.h / 2 - (count * (height + gap) - gap) / 2;
    return Array.from({ length: count }, (_, row) => ({
      ...card, slots: [0, 1, 2, 3, 4].map((n) => ({ x: cx - wide / 2 + n * (card.w + card.gap), y: first + row * (height + gap) })),
    }));
  };
  return {
    w, h, r, small, edge, spots, cards, touch: TOUCH_R, board: { ...board, slots, rows, x: cx, y: top + board.h / 2, width },
    burn: { x: cx - left, y: low }, muck: { x: cx + right, y: low },
    aside: { x: cx, y: low + (small ? 4 : 0) }, shoe: { x: cx, y: h - edge },
  };
}

// The middle of a zone, whatever its antenna reads of it; null for a zone that is not drawn.
export function spot(geo, zone) {
  if (zone.startsWith("seat:")) return geo.spots[Number.parseInt(zone.slice(5), 10)] ?? null;
  const street = { "board:flop": 1, "board:turn": 3, "board:river": 4 }[zone];
  if (street !== undefined) return { x: geo.board.slots[street].x + geo.board.w / 2, y: geo.board.y };
  return { board: geo.board, burn: geo.burn, muck: geo.muck, aside: geo.aside, shoe: geo.shoe }[zone] ?? null;
}
