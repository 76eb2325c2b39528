/**
 * The end of the kernel that made a model. anywidget tells its modules nothing of it, and JupyterLab's
 * widget manager marks a restart only; the kernel itself says it, as far as the host lets it be seen.
 */

interface Signal {
  connect(slot: (sender: unknown, value: unknown) => void): unknown;
  disconnect(slot: (sender: unknown, value: unknown) => void): unknown;
}

interface Kernel {
  statusChanged?: Signal;
  connectionStatusChanged?: Signal;
  disposed?: Signal;
}

/** Why nobody answers any more: what became of the kernel, or of the widget in a kernel that lives on. */
export type Loss = "restarted" | "died" | "dead" | "shut down" | "closed" | "none";
/** The way to the kernel: lost and tried again, or given up. What is sent waits meanwhile. */
export type Way = "open" | "tried" | "given up";

/** After any of these the kernel knows none of the models it had, even if it comes back. */
const ENDS: Record<string, Loss> = { restarting: "restarted", autorestarting: "died", terminating: "shut down", dead: "dead" };
const WAYS: Record<string, Way> = { connected: "open", connecting: "tried", disconnected: "given up" };

export interface KernelListener {
  /** The kernel has ended; comes once. */
  ended(how: Loss): void;
  way(now: Way): void;
}

/** Listen to the kernel; returns how to stop. Where no kernel is seen, nothing is heard. */
export function onKernel(model: unknown, { ended, way }: KernelListener): () => void {
  const manager = (model as { widget_manager?: { kernel?: Kernel | null } } | null)?.widget_manager;
  const kernel = manager?.kernel;
  if (!kernel?.statusChanged?.connect) return () => {};
  const { statusChanged, connectionStatusChanged, disposed } = kernel;
  /** What was heard last. */
  let heard: Loss | null = null;
  let later: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(later);
    statusChanged.disconnect(look);
    connectionStatusChanged?.disconnect(lookAtWay);
    disposed?.disconnect(dispose);
  };
  function end(how: Loss): void {
    stop();
    ended(how);
  }
  function look(_: unknown, status: unknown): void {
    const how = ENDS[String(status)];
    if (!how) return;
    // One that died is called restarting first, and then by what the server does.
    if (heard === null) later = setTimeout(() => end(heard ?? how));
    heard = how;
  }
  function lookAtWay(_: unknown, status: unknown): void {
    way(WAYS[String(status)] ?? "open");
  }
  function dispose(): void {
    // One that is dead is disposed of too.
    end(heard ?? "shut down");
  }
  statusChanged.connect(look);
  connectionStatusChanged?.connect(lookAtWay);
  disposed?.connect(dispose);
  return stop;
}
