/**
 * Saves a million lines of a buffer as a hand-over, and opens the file with the built program until the place that it
 * was left at is on the screen. Run by `npm run bench`.
 */
import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {createTail} from '#app/tail/tail.ts';
import {writeHandOverFile} from '#cli/screens/save-hand-over.ts';
import {createBuffer, entryAt} from '#log/buffer/buffer.ts';
import {editBuffer} from '#log/buffer/buffer-edit.ts';
import {instantFromMs} from '#log/line/instant.ts';
import {readLine} from '#log/window/window-line.ts';
import {startPtyProgram} from '../test/support/pty-program.ts';
import {makeLine} from './bodies.ts';
import {printFigure} from './measure.ts';

const lineCount = 1_000_000;
const bufferBytesMax = 1e9;

const folder = mkdtempSync(join(tmpdir(), 'hand-over-'));
const path = join(folder, 'a.branchlog');
try {
  const edit = editBuffer(createBuffer(bufferBytesMax));
  let bytes = 0;
  for (let index = 0; index < lineCount; index += 1) {
    const raw = makeLine(index);
    const {at = instantFromMs(index), textIndex = 0} = readLine(raw) ?? {};
    bytes += raw.length + 1;
    edit.insert({kind: 'line', id: edit.takeId(), at, raw, textIndex, late: false});
  }
  const buffer = edit.finish();
  const tail = createTail({intervalMs: 1_000, bufferBytesMax, keepsLateLines: false});
  const [branch] = decodeBranches([{_id: 'b', name: 'master', status: 'OPEN'}]).value;
  const top = entryAt(buffer, lineCount / 2);
  if (branch === undefined || top === undefined) {
    throw new Error('no branch, or no line');
  }
  const startMs = performance.now();
  const memory = {
    filters: [],
    highlights: [],
    marks: [],
    contextLines: 0,
    wraps: false,
    minimumLevel: undefined,
    timeMode: undefined,
    rows: undefined,
  };
  await writeHandOverFile(
    path,
    {
      ...{savedAtMs: Date.now(), savedBy: 'bench', version: '0', records: [], picked: undefined, memory},
      context: {name: 'bench', host: ''},
      site: {id: 'site', name: undefined},
      logs: [{branch, tail: {...tail, log: {...tail.log, buffer}}, learnedUntil: undefined}],
      place: {top: {source: 0, id: top.id, at: top.at}},
    },
    {signal: new AbortController().signal, progress: () => undefined},
  );
  const what = 'hand-over of a million lines';
  printFigure({what: `${what}: saved`, value: performance.now() - startMs, unit: 'ms', must: 3_000});
  printFigure({
    what: `${what}: its size, of the log's bytes`,
    value: statSync(path).size / bytes,
    unit: '×',
    must: 0.1,
  });
  const openMs = performance.now();
  const program = startPtyProgram({args: [path], columns: 120, rows: 40});
  await program.waitFor('paused');
  printFigure({what: `${what}: opened to its place`, value: performance.now() - openMs, unit: 'ms', must: 500});
  await program.close();
} finally {
  rmSync(folder, {recursive: true});
}
