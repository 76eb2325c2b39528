/** The script of a published page. */
import { mountAll } from "./page";

mountAll(document);
