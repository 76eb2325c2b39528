/** Brings what is on the page in line with a new drawing by changing only what differs. */

/**
 * Gives an element these children. A child of the same kind in the same place stays and takes over attributes,
 * text and children, so that an unchanged axis costs no layout. For pictures and words without listeners.
 */
export function renew(parent: Element, ...next: (Node | string)[]): void {
  const now = [...parent.childNodes];
  next.forEach((child, k) => {
    const fresh = typeof child === "string" ? document.createTextNode(child) : child;
    const old = now[k];
    if (!old) parent.append(fresh);
    else if (old.nodeName !== fresh.nodeName) old.replaceWith(fresh);
    else if (old instanceof Element && fresh instanceof Element) become(old, fresh);
    else if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
  });
  for (const old of now.slice(next.length)) old.remove();
}

/** Takes over what another drawing of the same element shows. */
export function become(old: Element, fresh: Element): void {
  if (old === fresh) return;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  renew(old, ...fresh.childNodes);
}
