import {deepStrictEqual, ok, strictEqual} from 'node:assert';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {ApiError} from '#api/client/api-error.ts';
import {createLogBodyReader} from '#api/client/body/log-body-reader.ts';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {decodeLog} from '#api/client/decode-log.ts';
import {parseWindowHeader} from '#api/client/log-headers-read.ts';
import {openReplayFile} from '#api/recording/files/replay-file.ts';
import {RecordingError} from '#api/recording/recording-format.ts';
import {readConfigFile} from '#config/settings/config-file.ts';
import {ConfigError} from '#config/settings/table-reader.ts';
import {layOutLine} from '#log/reading/lay-out-line.ts';
import {levelOf} from '#log/reading/level.ts';
import {Reading} from '#log/reading/reading.ts';
import {stringifySafe} from '#log/text/escape-json.ts';
import {sanitise} from '#log/text/sanitise.ts';
import {parseDeepLink} from '#log/words/deep-link.ts';
import {finishWork} from '#log/work.ts';
import {createInputFilter} from '#terminal/screen/terminal-input.ts';
import {createRandom, mutate} from './mutate.ts';

/** A parser of foreign bytes: what it is fed, and what must hold. Throws if something does not. */
type Target = {
  readonly samples: readonly string[];
  /** How often it gets its turn, compared with the others: those that go through a file are slow. */
  readonly turns: number;
  readonly check: (bytes: Buffer) => void | Promise<void>;
};

/** Control characters, C1 and bidi controls: nothing that is drawn may hold one. */
const unsafe = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Runs a parser that may refuse its input, but only with this kind of error. */
const refusing = async <T>(
  run: () => T | Promise<T>,
  refusal: abstract new (...parts: never[]) => Error,
): Promise<T | undefined> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof refusal) {
      return undefined;
    }
    throw error;
  }
};

const lines = [
  '2026-11-21T14:00:00.000000001Z 10.2.0.7 - - [21/Nov/2026:14:00:00 +0000] "GET /cart HTTP/1.1" 502 157 "-" "curl"',
  '2026-11-21T14:00:01.000000001Z {"level":"error","message":"timed out","order":17,"request":{"path":"/a"}}',
  '2026-11-21T14:00:02.000000001Z [2026-11-21T14:00:02.1+00:00] till.WARNING: Slow request {"ms":4000} []',
  '2026-11-21T14:00:03.000000001Z level=info msg="it \\"said\\" so" took=3ms',
  '2026-11-21T14:00:04.000000001Z NOTICE: PHP message: PHP Fatal error:  Uncaught Error: x in /a.php:3',
  '2026-11-21T14:00:05.000000001Z 11-21 14:12:01.123  123  456 E Tag: failed',
];

const knownReader = createLogBodyReader();

const targetsIn = (folder: string): Readonly<Record<string, Target>> => ({
  'log body': {
    turns: 3,
    samples: [
      JSON.stringify({data: lines, pods: [{metadata: {name: 'web-1'}}], events: lines.map(message => ({message}))}),
    ],
    check: async bytes => {
      // One that has read nothing, and one that knows the last body, read what JSON.parse reads.
      for (const reader of [createLogBodyReader(), knownReader]) {
        const parsed = await refusing(() => JSON.parse(bytes.toString('utf8')) as unknown, SyntaxError);
        const json = await refusing(() => finishWork(reader.read(Buffer.from(bytes.toString('utf8')))), SyntaxError);
        if (parsed === undefined) {
          // Nothing of `events` is used, so damage in it may pass.
          ok(json === undefined || bytes.includes('"events"'), 'reads what is not JSON');
          continue;
        }
        ok(json !== undefined, 'refuses JSON');
        deepStrictEqual(
          await refusing(() => decodeLog(json), ApiError),
          await refusing(() => decodeLog(parsed), ApiError),
        );
      }
    },
  },
  branches: {
    turns: 4,
    samples: [
      JSON.stringify([
        {
          _id: 'b1',
          name: 'master',
          status: 'DEPLOY_APPLICATION_SUCCESS',
          adminPassword: 'x',
          customDomains: [{name: 'a'}],
        },
        {_id: 'b2', name: 'new', status: null, deploymentConfig: {env: [{name: 'A', value: 'Password=b'}]}},
      ]),
    ],
    check: async bytes => {
      const json = await refusing(() => JSON.parse(bytes.toString('utf8')) as unknown, SyntaxError);
      const decoded = await refusing(() => decodeBranches(json), ApiError);
      ok(!unsafe.test(stringifySafe(decoded?.value ?? null)), 'what is printed of it is not safe');
    },
  },
  line: {
    turns: 6,
    samples: lines,
    check: bytes => {
      const text = bytes.toString('utf8');
      const safe = sanitise(text);
      ok(!unsafe.test(safe), 'a control character is left');
      strictEqual(sanitise(safe), safe, 'is not made safe at once');
      const laid = layOutLine({reading: new Reading(safe, levelOf(text)), at: 1_763_733_600_000_000_000n, columns: 80});
      ok(laid === undefined || !unsafe.test(laid.text), 'the layout holds a control character');
    },
  },
  config: {
    turns: 1,
    samples: [
      '[contexts.prod]\nbase_url = "https://api.example.com/dev-v1"\ntenant = "t"\nauth_mode = "m"\ntoken_file = "~/t"\n[[contexts.prod.sites]]\nid = "1"\nname = "shop"\n[log]\ninterval = "2s"\nbuffer_mb = 64\n[ui]\ntheme = "dark"\n[keys]\nquit = "Q"\n[notify]\nbell = true\n',
    ],
    check: async bytes => {
      const path = join(folder, 'config.toml');
      writeFileSync(path, bytes);
      await refusing(() => readConfigFile(path, '/home/me'), ConfigError);
    },
  },
  recording: {
    turns: 1,
    samples: [
      '{"format":"branchlog recording","version":1,"recordedAtMs":1,"host":"h","bufferMb":64,"intervalMs":2000,"sites":[]}\n{"kind":"log","beganMs":1,"cameMs":2,"siteId":"s","branchId":"b","lines":["2026-11-21T14:00:00Z a"]}\n',
    ],
    check: async bytes => {
      const path = join(folder, 'recording.ndjson');
      writeFileSync(path, bytes);
      try {
        await (await openReplayFile(path)).close();
      } catch (error) {
        if (!(error instanceof RecordingError)) {
          throw error;
        }
      }
    },
  },
  header: {
    turns: 3,
    samples: ['branch; series=a1; last=17; dropped=3', 'pod', 'source; series=x; last=9007199254740993'],
    check: bytes => {
      const said = parseWindowHeader(bytes.toString('latin1'));
      ok(said?.arrivals === undefined || Number.isSafeInteger(Number(said.arrivals.last)), 'a count that is none');
    },
  },
  link: {
    turns: 3,
    samples: ['shop/master@2026-11-21T14:02:11Z', 'shop/feature/a@b@-15m'],
    check: bytes => {
      parseDeepLink(bytes.toString('utf8'));
    },
  },
  keys: {
    turns: 4,
    samples: [
      '\u001b[A',
      '\u001b[<0;10;5M',
      '\u001b]11;rgb:0000/0000/0000\u0007',
      '\u001b[200~pasted\u001b[201~q',
      '\u001b[M !!',
    ],
    check: bytes => {
      const text = bytes.toString('latin1');
      const filter = createInputFilter(() => ({mouse: true, answer: true}));
      const half = Math.floor(text.length / 2);
      const typed =
        [text.slice(0, half), text.slice(half)].map(piece => filter.push(piece).typed).join('') + filter.release();
      ok(typed.length <= text.length, 'more is typed than came');
    },
  },
});

/**
 * Feeds `cases` mutated samples to the parsers of foreign bytes, in turn. Rejects with the seed and the bytes of
 * the first case that does not hold.
 */
export const fuzz = async ({seed, cases, folder}: {seed: number; cases: number; folder: string}): Promise<void> => {
  const random = createRandom(seed);
  const targets = Object.entries(targetsIn(folder)).flatMap(target =>
    Array.from({length: target[1].turns}, () => target),
  );
  for (let index = 0; index < cases; index += 1) {
    const [name, {samples, check}] = targets[index % targets.length] ?? ['', {samples: [], turns: 0, check: () => {}}];
    const sample = samples[Math.floor(random() * samples.length)] ?? '';
    const bytes = mutate(Buffer.from(sample), random);
    try {
      await check(bytes);
    } catch (error) {
      throw new Error(`SEED=${seed}, case ${index}, ${name}: ${JSON.stringify(bytes.toString('latin1'))}`, {
        cause: error,
      });
    }
  }
};
