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
  disposed?: Signal;
}

/** After any of these the kernel knows none of the models it had, even if it comes back. */
const ENDS = new Set<unknown>(["restarting", "autorestarting", "terminating", "dead"]);

/** Call back once when the kernel has ended; returns how to stop listening. Where no kernel is seen, never. */
export function onKernelEnd(model: unknown, ended: () => void): () => void {
  const manager = (model as { widget_manager?: { kernel?: Kernel | null } } | null)?.widget_manager;
  const kernel = manager?.kernel;
  if (!kernel?.statusChanged?.connect) return () => {};
  const { statusChanged, disposed } = kernel;
  const stop = (): void => {
    statusChanged.disconnect(look);
    disposed?.disconnect(end);
  };
  function end(): void {
    stop();
    ended();
  }
  function look(_: unknown, status: unknown): void {
    if (ENDS.has(status)) end();
  }
  statusChanged.connect(look);
  disposed?.connect(end);
  return stop;
}
