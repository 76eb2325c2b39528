// Texts of a widget that meet one another, leave the widget, or are cut although a name is short.
(root) => {
    const texts = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const el = node.parentElement;
        if (!node.data.trim() || el.closest("style, title, .sr-only, select, [data-repeated]")) continue;
        if (!el.checkVisibility({ visibilityProperty: true }) || el.getBoundingClientRect().width === 0) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width < 1 || box.height < 1) continue;
            // Lines have air above and below their letters.
            const air = box.height * 0.18;
            texts.push({ text: node.data.trim().slice(0, 40), el, node, left: box.left, right: box.right, top: box.top + air, bottom: box.bottom - air });
        }
    }
    const known = new Map();
    const place = (at) => {
        if (!known.has(at)) {
            const style = getComputedStyle(at);
            const clips = !(at instanceof SVGElement || style.overflowX === "visible" || at.tagName === "BUTTON");
            const box = clips ? at.getBoundingClientRect() : null;
            known.set(at, { sticky: style.position === "sticky", scrolls: /auto|scroll/.test(style.overflowX), box });
        }
        return known.get(at);
    };
    // What scrolls may stand out of sight; what is cut may not. Headings that stay while cells scroll cover them.
    const clip = (t) => {
        for (let at = t.el; at && at !== root; at = at.parentElement) {
            const { sticky, scrolls, box } = place(at);
            if (sticky) t.pinned = true;
            if (!box) continue;
            if (t.top >= box.bottom || t.bottom <= box.top) return "";
            if (!scrolls && t.right > box.right + 1) return "cut";
            t.right = Math.min(t.right, box.right);
            t.left = Math.max(t.left, box.left);
            if (t.left >= t.right) return "";
        }
        return "seen";
    };
    const wrong = [];
    const seen = texts.filter((t) => {
        const state = clip(t);
        if (state === "cut") wrong.push(`cut: ${t.text}`);
        return state === "seen";
    });
    const frame = root.getBoundingClientRect();
    for (const t of seen) {
        if (t.left < frame.left - 1 || (t.right > frame.right + 1 && !t.el.closest(".px-scroll, .gr-scroll, .lg-scroll"))) {
            wrong.push(`outside: ${t.text}`);
        }
    }
    for (let a = 0; a < seen.length; a++) {
        for (let b = a + 1; b < seen.length; b++) {
            const [s, t] = [seen[a], seen[b]];
            // A word that is cut by its frame has two boxes.
            if (s.pinned || t.pinned || (s.node === t.node && s.top === t.top)) continue;
            const wide = Math.min(s.right, t.right) - Math.max(s.left, t.left);
            const high = Math.min(s.bottom, t.bottom) - Math.max(s.top, t.top);
            if (wide > 1 && high > 1) wrong.push(`meet: ${s.text} | ${t.text}`);
        }
    }
    return wrong;
}
