// The page's last resort: when a script of it could not be had, or does not run, the page is loaded anew, as soon as the
// table answers. Not a module, and needed by none: it runs whatever becomes of the others. Refuses to touch a page that
// has drawn a state once; that one knows how to help itself (link.js).

(() => {
  const AGAIN_MS = 3000;
  const dead = () => document.querySelector("#cover")?.classList.contains("first");
  let waits = false;

  async function again() {
    if (!dead()) waits = false;
    else if ((await fetch(location.pathname, { cache: "no-store" }).catch(() => null))?.ok && dead()) location.reload();
    else setTimeout(again, AGAIN_MS);
  }

  const broken = () => {
    if (!waits) setTimeout(again, AGAIN_MS);
    waits = true;
  };
  addEventListener("error", broken, true); // on its way down: what could not be loaded is told to its element alone
  addEventListener("unhandledrejection", broken);
})();
