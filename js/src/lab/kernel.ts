/** What JupyterLab asks of a kernel: calls of pdp_widgets/widgets/in_jupyterlab.py, and what they return. */
import type { Kernel, KernelMessage, ServiceManager } from "@jupyterlab/services";
import { DocumentFault } from "./document";
import { message } from "./words";
import "./words-later";

const HOME = '__import__("pdp_widgets.widgets.in_jupyterlab", fromlist=["in_jupyterlab"])';

/** What is asked of a kernel that goes before it answers is never answered. */
function whileConnected<T>(kernel: Kernel.IKernelConnection, answer: Promise<T>): Promise<T> {
  return new Promise((done, refuse) => {
    const look = (): void => {
      if (kernel.connectionStatus === "connected" && kernel.status !== "restarting" && kernel.status !== "autorestarting" && kernel.status !== "dead") return;
      stop();
      refuse(new DocumentFault(message.kernelGone));
    };
    const stop = (): void => {
      kernel.statusChanged.disconnect(look);
      kernel.connectionStatusChanged.disconnect(look);
      kernel.disposed.disconnect(look);
    };
    kernel.statusChanged.connect(look);
    kernel.connectionStatusChanged.connect(look);
    kernel.disposed.connect(look);
    answer.then(done, refuse).finally(stop);
  });
}

/** What a call returned, by media types, or what it raised. What is given is Python; a text in JSON is one. */
export async function evaluated(kernel: Kernel.IKernelConnection, name: string, ...given: readonly string[]): Promise<Record<string, unknown>> {
  const value = `${HOME}.${name}(${given.join(", ")})`;
  const future = kernel.requestExecute({ code: "", silent: true, store_history: false, user_expressions: { value } });
  const { content } = (await whileConnected(kernel, future.done)) as KernelMessage.IExecuteReplyMsg;
  const said = (content.status === "ok" ? content.user_expressions["value"] : content) as
    { status?: string; data?: Record<string, unknown>; ename?: string; evalue?: string } | undefined;
  if (said?.status === "ok") return said.data ?? {};
  if (said?.ename === "ModuleNotFoundError") throw new DocumentFault(message.noPackage);
  throw new DocumentFault(said?.evalue ?? message.noPython);
}

/** What a call told as JSON. */
export async function told<T>(kernel: Kernel.IKernelConnection, name: string, ...given: readonly string[]): Promise<T> {
  return (await evaluated(kernel, name, ...given))["application/json"] as T;
}

/** Works in a kernel: the one that is there, or one of its own in the folder of a file, which ends with the work. */
export async function inKernel<T>(
  services: ServiceManager.IManager,
  path: string,
  there: Kernel.IKernelConnection | null,
  work: (kernel: Kernel.IKernelConnection) => Promise<T>,
): Promise<T> {
  if (there !== null) return work(there);
  await services.kernelspecs.ready;
  const { default: usual = "", kernelspecs = {} } = services.kernelspecs.specs ?? {};
  const name = [usual, ...Object.keys(kernelspecs)].find((one) => kernelspecs[one]?.language === "python");
  if (name === undefined) throw new DocumentFault(message.noPythonHere);
  // A session of the file itself would be joined by the tab that shows it, one of a former reading is about to end.
  const own = `${services.contents.localPath(path)}.${Math.random().toString(36).slice(2)}`;
  const session = await services.sessions.startNew({ name: path, path: own, type: "file", kernel: { name } });
  try {
    if (session.kernel === null) throw new DocumentFault(message.kernelGone);
    await session.kernel.info;
    // An explorer tells of itself: here nobody shows it.
    session.kernel.registerCommTarget("jupyter.widget", () => undefined);
    return await work(session.kernel);
  } finally {
    await session.shutdown().catch(() => undefined);
    session.dispose();
  }
}
