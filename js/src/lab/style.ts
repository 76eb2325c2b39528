/** The style sheet of what is shown in JupyterLab around the explorers: JupyterLab's start does not wait for it. */
import css from "./document.css";

document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
