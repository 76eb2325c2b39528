/** Every style sheet the Gaussian explorer's parts need. */
import { STYLES as SHARED } from "../explorer/styles";
import matrix from "../matrix/matrix.css";
import gaussian from "./gaussian.css";

export const STYLES = [...SHARED, matrix, gaussian];
