import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {bindingsOn, type Command, type ScreenName} from '../../src/app/keymap.ts';
import type {PtyProgram} from '../support/pty-program.ts';
import {type SampleService, sampleBranches, startSampleService} from './sample-service.ts';

/** What the key table calls a key, as a terminal's keyboard has it. */
const keyboardNames: Readonly<Record<string, string>> = {
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  PgUp: 'PageUp',
  PgDn: 'PageDown',
};

let service: SampleService;
let program: PtyProgram;

const press = (...keys: readonly string[]): void => program.press(...keys.map(key => keyboardNames[key] ?? key));
const shows = async (wanted: Parameters<PtyProgram['waitFor']>[0]): Promise<void> =>
  void (await program.waitFor(wanted));
const highlights = (name: string): Promise<void> => shows(new RegExp(`▸ (?:. )?${name} `));
const topIs = (clock: string): Promise<void> =>
  shows(rows => rows[2]?.startsWith(` ${clock}`) === true && !rows.join('').includes('following'));
const horizonIsOnTop = (): Promise<void> =>
  shows(rows => rows[2]?.startsWith(' ── the service held nothing older than 14:00:00 ') === true);
const isWithout =
  (text: string) =>
  (rows: readonly string[]): boolean =>
    !rows.join('').includes(text);
const countOf = (sequence: string): number => program.output().split(sequence).length - 1;

/** Each runs with the screen in its middle (see `goToMiddle`), presses the key, and tells by the screen what it did. */
type Case = (key: string) => Promise<void>;

const everywhere: Partial<Record<Command, Case>> = {
  toggleHelp: async key => {
    press(key);
    await shows('Keys on the');
    press(key);
    await shows(isWithout('Keys on the'));
  },
  repaint: async key => {
    const before = countOf('\u001b[2J');
    press(key);
    await shows(() => countOf('\u001b[2J') > before);
  },
  // No shell is there to continue the program, so it comes back by itself.
  suspend: async key => {
    const before = countOf('\u001b[?1049h');
    press(key);
    await shows(() => countOf('\u001b[?1049h') > before);
    expect(countOf('\u001b[?1049l')).toBe(before);
  },
  quit: async key => {
    press(key);
    expect(await program.exitCode()).toBe(0);
    expect(program.altScreenActive()).toBe(false);
  },
};

const moves = (names: Readonly<Partial<Record<Command, string>>>, sees = highlights): Partial<Record<Command, Case>> =>
  Object.fromEntries(
    Object.entries(names).map(([command, name]) => [
      command,
      async (key: string): Promise<void> => {
        press(key);
        await sees(name);
      },
    ]),
  );

const cases: Readonly<Record<ScreenName, Partial<Record<Command, Case>>>> = {
  sites: {
    ...everywhere,
    // Seven sites, the highlight on the fourth, two rows a page.
    ...moves({
      moveUp: 'showroom',
      moveDown: 'extra-5',
      pageUp: 'shipping',
      pageDown: 'extra-6',
      goFirst: 'shop',
      goLast: 'extra-7',
    }),
    open: async key => {
      press(key);
      await shows(/extra-4.*failing/);
      press('Esc');
      await shows('Which site?');
    },
    openFilter: async key => {
      press(key, 'ship');
      await shows('/ ship█');
      await highlights('shipping');
      press('Esc');
      await shows(isWithout('█'));
    },
    back: async key => {
      press('/', 'ship');
      await shows('/ ship█');
      press(key);
      await shows(isWithout('█'));
      await shows('showroom');
    },
  },
  branches: {
    ...everywhere,
    // Seven branches, the highlight on the fourth, two rows a page.
    ...moves({
      moveUp: 'hotfix/cart',
      moveDown: 'experiment',
      pageUp: 'feature/checkout',
      pageDown: 'release/\\S+',
      goFirst: 'master',
      goLast: 'feature/new-theme',
    }),
    open: async key => {
      press('g');
      await highlights('master');
      press(key);
      await shows('shop › master');
      press('Esc');
      await shows('7 branches');
    },
    toggleMark: async key => {
      press(key);
      await shows(/▸\*. staging.*/);
      await shows('1 marked');
      press(key);
      await shows(isWithout('marked'));
    },
    openFilter: async key => {
      press(key, 'cart');
      await shows('/ cart█');
      await highlights('hotfix/cart');
      press('Esc');
      await shows(isWithout('█'));
    },
    toggleDeployed: async key => {
      press(key);
      await shows('(only these shown)');
      await highlights('master');
      press(key);
      await shows(isWithout('only these'));
    },
    toggleDetails: async key => {
      press(key);
      await shows(/^ Branch$/m);
      press(key);
      await highlights('staging');
    },
    tryNow: async key => {
      // By themselves branches are asked for again after half a minute.
      service.setBranches('5f3c0a12', sampleBranches.slice(0, 5));
      press(key);
      await shows('5 branches');
      service.setBranches('5f3c0a12', sampleBranches);
      press(key);
      await shows('7 branches');
    },
    back: async key => {
      press(key);
      await shows('Which site?');
      press('Enter');
    },
  },
  log: {
    ...everywhere,
    // The horizon and twenty-two lines every fourteen seconds, the eleventh of them on top, five rows in the pane.
    ...moves(
      {
        moveUp: '14:02:06',
        moveDown: '14:02:34',
        pageUp: '14:01:24',
        pageDown: '14:03:16',
      },
      topIs,
    ),
    goFirst: async key => {
      press(key);
      await horizonIsOnTop();
    },
    nextGap: async key => {
      press(key);
      await shows('no gap further down');
    },
    previousGap: async key => {
      press(key);
      await shows('no gap further up');
    },
    nextMarker: async key => {
      press(key);
      await shows('no marker further down');
    },
    previousMarker: async key => {
      press(key);
      await horizonIsOnTop();
    },
    toggleInspector: async key => {
      press(key);
      await shows(/^ when +status/m);
      press(key);
      await topIs('14:02:20');
    },
    goLast: async key => {
      press(key);
      await shows('following');
    },
    togglePause: async key => {
      press(key);
      await shows('following');
      press(key);
      await shows('paused at 14:03:58');
    },
    tryNow: async key => {
      // After a 403 the service is asked again only after half a minute.
      service.failAlways({kind: 'status', status: 403});
      press(key);
      await shows('failing since');
      service.failAlways(undefined);
      press(key);
      await shows('live');
    },
    back: async key => {
      press(key);
      await shows('7 branches');
      press('g');
      await highlights('master');
      press('Enter');
    },
  },
};

const goToMiddle: Readonly<Record<ScreenName, () => Promise<void>>> = {
  sites: async () => {
    await shows('Which site?');
    press('Home', '↓', '↓', '↓');
    await highlights('extra-4');
  },
  branches: async () => {
    await shows('7 branches');
    press('Home', '↓', '↓', '↓');
    await highlights('staging');
  },
  log: async () => {
    await shows('shop › master');
    await shows('live');
    press('g', ...Array.from({length: 11}, () => '↓'));
    await topIs('14:02:20');
  },
};

describe.each([
  {screen: 'sites', args: [], rows: 6},
  {screen: 'branches', args: ['shop'], rows: 6},
  {screen: 'log', args: ['shop', 'master'], rows: 9},
] as const)('keys on the $screen screen', ({screen, args, rows}) => {
  beforeAll(async () => {
    service = await startSampleService({extraSites: ['extra-4', 'extra-5', 'extra-6', 'extra-7']});
  });
  afterAll(() => service.close());

  const keys = bindingsOn(screen).flatMap(({command, help, keys: names}) => names.map(key => ({key, command, help})));
  test.each(keys)('$key: $help', async ({key, command}) => {
    const run = cases[screen][command] ?? expect.fail(`no case for ${command} on the ${screen} screen`);
    if (program === undefined || program.hasExited()) {
      program = service.open({args, columns: 90, rows});
    }
    await goToMiddle[screen]();
    await run(key);
  });
});
