// For each text that is seen: its contrast with what is painted under its middle. Shapes of a picture count
// by their fill, boxes by their background; the opacity of a text and its ancestors is blended in. A heading
// that repeats the row above is blank on purpose.
(root) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const known = new Map();
    const rgba = (colour) => {
        if (!known.has(colour)) known.set(colour, read(colour));
        return known.get(colour);
    };
    const read = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = "#000";
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, below) => below.map((v, k) => (k === 3 ? 1 : top[k] * top[3] + v * (1 - top[3])));
    const light = ([r, g, b]) => {
        const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const opacity = (el) => {
        let all = 1;
        for (let at = el; at && at !== document; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
        return all;
    };
    const shape = (el) => el instanceof SVGGeometryElement && !(el instanceof SVGLineElement);
    const paint = (el) => {
        const style = getComputedStyle(el);
        if (!shape(el)) return el instanceof SVGElement ? [0, 0, 0, 0] : rgba(style.backgroundColor);
        // A pattern is lines far apart: what is between them counts.
        if (style.fill === "none" || style.fill.startsWith("url(")) return [0, 0, 0, 0];
        const colour = rgba(style.fill);
        return [...colour.slice(0, 3), colour[3] * Number(style.fillOpacity)];
    };
    const solid = (el) => el instanceof SVGRectElement || el instanceof SVGCircleElement;
    // What a part of a picture paints, the last first: asked for each text that comes after it.
    const painted = new Map();
    const shapes = (part) => {
        if (!painted.has(part)) {
            const all = [part, ...part.querySelectorAll("rect, circle")].filter(solid).reverse();
            painted.set(part, all.map((el) => [el, el.getBoundingClientRect()]));
        }
        return painted.get(part);
    };
    const inside = (box, x, y) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    const under = (el, x, y) => {
        const layers = [];
        for (let at = el; at; at = at.parentElement) {
            if (!(at instanceof SVGElement)) layers.push(at);
            // Within a picture, what was painted before the text.
            if (at instanceof SVGElement && !(at instanceof SVGSVGElement)) {
                const before = [];
                for (let b = at.previousElementSibling; b; b = b.previousElementSibling) {
                    for (const [el, box] of shapes(b)) if (inside(box, x, y)) before.push(el);
                }
                layers.push(...before);
            }
        }
        let colour = [255, 255, 255, 1];
        for (const layer of layers.reverse()) {
            const face = paint(layer);
            const through = layer instanceof SVGElement ? Number(getComputedStyle(layer).opacity) : 1;
            colour = over([...face.slice(0, 3), face[3] * through], colour);
        }
        return colour;
    };
    const found = [];
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const el = node.parentElement;
        if (!node.data.trim() || el.closest("style, title, .sr-only, option, [hidden], [data-repeated]")) continue;
        // Old curves are pale while new ones are computed.
        if (el.closest(".density-busy > g:first-child")) continue;
        // What cannot be used may be paler.
        if (el.closest(":disabled, [aria-disabled=true], .slider-ticks")?.matches(":disabled, [aria-disabled=true]")) continue;
        if (el.closest("label")?.control?.disabled) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (box.width < 1 || box.height < 1 || el.getBoundingClientRect().width === 0) continue;
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const style = getComputedStyle(el);
        // Letters of a picture may be drawn with an edge around them, and stand on that.
        const edged = el instanceof SVGElement && style.paintOrder.startsWith("stroke") && style.stroke !== "none";
        const ground = edged ? over(rgba(style.stroke), under(el, x, y)) : under(el, x, y);
        const ink = rgba(el instanceof SVGElement ? style.fill : style.color);
        const seen = over([...ink.slice(0, 3), ink[3] * opacity(el)], ground);
        const [a, b] = [light(seen), light(ground)];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        found.push({ text: node.data.trim().slice(0, 60), ratio: Math.round(ratio * 100) / 100, seen: seen.slice(0, 3).map(Math.round), ground: ground.slice(0, 3).map(Math.round) });
    }
    for (const el of root.querySelectorAll("select, input")) {
        if (el.disabled || el.type === "checkbox" || !el.getClientRects().length) continue;
        const style = getComputedStyle(el);
        if (style.opacity === "0") continue;
        const box = el.getBoundingClientRect();
        const ground = under(el, box.left + box.width / 2, box.top + box.height / 2);
        const seen = over(rgba(style.color), ground);
        const [a, b] = [light(seen), light(ground)];
        found.push({ text: `field ${el.value}`, ratio: Math.round(((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)) * 100) / 100, seen, ground });
    }
    return found;
}
