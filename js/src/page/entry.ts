/** The last part of a page's script: the widgets that came before it take their places. */
import { mountAll } from "./page";

mountAll(document);
