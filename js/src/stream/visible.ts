/** Whether an element can be seen: in a page that is shown, in the part of it that is scrolled to. */

export interface Sight {
  seen(): boolean;
  destroy(): void;
}

export function watchSight(el: HTMLElement, changed: () => void): Sight {
  const doc = el.ownerDocument;
  let inside = true;
  const look = (): void => changed();
  const observer =
    typeof IntersectionObserver === "undefined"
      ? null
      : new IntersectionObserver((entries) => {
          inside = entries[entries.length - 1]?.isIntersecting ?? true;
          changed();
        });
  observer?.observe(el);
  doc.addEventListener("visibilitychange", look);
  return {
    seen: () => inside && doc.visibilityState !== "hidden",
    destroy() {
      observer?.disconnect();
      doc.removeEventListener("visibilitychange", look);
    },
  };
}
