import {existsSync} from 'node:fs';
import {userInfo} from 'node:os';
import {reasonOf} from '#api/recording/recording-file.ts';
import {defaultPath} from '#app/export/manifest.ts';
import {type CommandInput, flagValue} from '#cli/arguments/args.ts';
import {exitCodes, UsageError} from '#cli/io/exit-codes.ts';
import {version} from '#cli/io/version.ts';
import {type ReadLog, readLogs} from '#cli/logs/read-logs.ts';
import {judgeLogs} from '#cli/logs/run-incident.ts';
import {writeHandOverFile} from '#cli/screens/save-hand-over.ts';
import {insertHorizon} from '#log/ingest/place-markers.ts';
import {handOverSuffix} from '#log/words/deep-link.ts';
import {countOf} from '#log/words/format-count.ts';

/**
 * Runs `branchlog export`: reads a log once, as `incident` does, and writes it to a file for somebody else to open. The
 * path of the file is printed.
 */
export const runExport = async (input: CommandInput): Promise<number> => {
  const {parsed, output, say, signal} = input;
  const wanted = flagValue(parsed, 'file');
  if (wanted !== undefined) {
    checkPath(wanted);
  }
  const logs = await readLogs(input);
  const {own, nowMs, part, context, site} = logs;
  const savedAtMs = Math.round(nowMs);
  const names = own.map(({branch: {name}}) => ({name}));
  const path = wanted ?? defaultPath({site, branches: names, savedAtMs}, 'lines').replace(/\.log$/, handOverSuffix);
  checkPath(path);
  const {records} = await judgeLogs(logs, input);
  const saved = await writeHandOverFile(
    path,
    {
      ...{site, savedAtMs, version, records},
      context: {...context, ...(part === 'pod' ? {} : {parts: part === 'file' ? 'none' : 'containers'})},
      savedBy: userInfo().username,
      logs: own.map(handedLog),
      memory: {filters: [], highlights: [], marks: [], contextLines: 0, wraps: false, ...unsaid},
      place: {},
      picked: undefined,
    },
    {signal, progress: () => undefined},
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new UsageError(`--file: ${path} cannot be written, ${reasonOf(error)}`, {cause: error});
  });
  say(`saved ${countOf(saved.lines, 'line')}, ${countOf(saved.bytes, 'byte')}; branchlog ${path} opens it`);
  await output.write(`${path}\n`, signal);
  return exitCodes.done;
};

const unsaid = {minimumLevel: undefined, timeMode: undefined, rows: undefined};

const checkPath = (path: string): void => {
  if (!path.endsWith(handOverSuffix)) {
    throw new UsageError(`--file: the name must end in ${handOverSuffix}, by which the file is known: ${path}`);
  }
  if (existsSync(path)) {
    throw new UsageError(`--file: ${path} already exists and is not overwritten: give another name, or remove it`);
  }
};

/** As on the screens, the log says where it begins. */
const handedLog = ({branch, poll: {tail}}: ReadLog) => {
  const {horizon} = tail.log;
  const log = horizon === undefined ? tail.log : insertHorizon(tail.log, horizon);
  return {branch, tail: {...tail, log}, learnedUntil: undefined};
};
