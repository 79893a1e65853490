import type {CodeBase} from '../plan/code-base.ts';
import type {Random} from '../seed/random.ts';

export type EditorInput = {
  readonly random: Random;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly code: CodeBase;
};

/** Writes one line of the code editor that runs beside the application. */
export const drawEditorLine = ({random, atMs, code}: EditorInput): string => {
  const clock = new Date(atMs).toISOString();
  const client = `[10.2.${random.integer(0, 3)}.1][${random.text('0123456789abcdef', 8)}]`;
  const {file} = random.pick(code.complaints);
  return random.pick([
    `[${clock.slice(11, 19)}] ${client}[ManagementConnection] New connection established.`,
    `[${clock.slice(11, 19)}] ${client}[ExtensionHostConnection] <${random.integer(200, 900)}> Launched Extension Host Process.`,
    `[${clock}] info  editor: saved ${code.appRoot}/${file}`,
    `[${clock}] info  editor: saved ${code.appRoot}/${file}`,
    `[${clock}] info  editor: 1 session, idle for ${random.integer(2, 9)} min`,
    `[${clock}] warn  editor: file watcher limit is near, 7,${random.integer(100, 999)} of 8,192 watches in use`,
  ]);
};
