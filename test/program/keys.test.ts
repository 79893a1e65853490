import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {bindingsOn, type Command, type ScreenName} from '#app/keys/keymap.ts';
import type {PtyProgram} from '../support/pty-program.ts';
import {type SampleService, sampleBranches, startSampleService} from './sample-service.ts';

/** What the key table calls a key, as a terminal's keyboard has it. */
const keyboardNames: Readonly<Record<string, string>> = {
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
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
  shows(rows => rows[2]?.slice(3).startsWith(clock) === true && !rows.join('').includes('following'));
const horizonIsOnTop = (): Promise<void> =>
  shows(rows => rows[2]?.slice(1).startsWith('── the service held nothing older than 14:00:00 ') === true);
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
  openPalette: async key => {
    press(key, 'redraw the');
    await shows(/▸ repaint +Ctrl\+L/);
    press('Esc');
    await shows(isWithout('▸ repaint'));
  },
  toggleMouse: async key => {
    press(key);
    await shows("mouse on: hold Shift for the terminal's own selection");
    expect(program.output()).toContain('\u001b[?1000h\u001b[?1006h');
    press(key);
    await shows('mouse off');
  },
  repaint: async key => {
    const before = countOf('\u001b[2J');
    press(key);
    await shows(() => countOf('\u001b[2J') > before);
  },
  // No shell is there to continue the program, so it comes back by itself.
  suspend: async key => {
    const before = countOf('\u001b[?1049h');
    const left = countOf('\u001b[?1049l');
    press(key);
    await shows(() => countOf('\u001b[?1049h') > before);
    expect(countOf('\u001b[?1049l')).toBe(left + 1);
  },
  nextTheme: async key => {
    press(key);
    await shows('until you quit');
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

/** More than the log holds. */
const showsAll: Case = async key => {
  press(key);
  await horizonIsOnTop();
  await shows('the buffer begins at 2026-11-21 14:00:00');
};

const goesToMark = async (from: string, key: string): Promise<void> => {
  press('M', 'Enter');
  await shows('marked;');
  press(from, key);
  await shows(/^▸ {2}14:02:20/m);
  press('M', 'Enter');
  await shows('mark removed');
};

const cases: Readonly<Record<ScreenName, Partial<Record<Command, Case>>>> = {
  sites: {
    ...everywhere,
    // Seven sites, the highlight on the fourth, two rows a page.
    ...moves({
      moveUp: 'showroom',
      moveDown: 'extra-5',
      halfPageUp: 'showroom',
      halfPageDown: 'extra-5',
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
    nextContext: async key => {
      press(key);
      await shows('there is no other context in the config file');
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
      moveUp: 'experiment',
      moveDown: 'feature/checkout',
      halfPageUp: 'experiment',
      halfPageDown: 'feature/checkout',
      pageUp: 'hotfix/cart',
      pageDown: 'release/\\S+',
      goFirst: 'staging',
      goLast: 'feature/new-theme',
    }),
    open: async key => {
      press(key);
      await shows('shop › master');
      press('Esc');
      await shows('7 branches');
    },
    toggleMark: async key => {
      press(key);
      await shows(/▸\*. master.*/);
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
      await shows('deployed only');
      await highlights('master');
      press(key);
      await shows(isWithout(' only'));
    },
    toggleFaults: async key => {
      press(key);
      await shows('1 of 7 branches, failed only');
      await highlights('staging');
      await shows(isWithout('experiment'));
      press(key);
      await shows(isWithout(' only'));
    },
    nextOrder: async key => {
      press(key);
      await shows('by name');
      press(key);
      await shows('by last change');
      press(key);
      await shows(isWithout('by last change'));
    },
    enterDetails: async key => {
      press(key);
      await shows(/▸ name +master/);
      press('Esc');
      await highlights('master');
    },
    revealSecret: async key => {
      press('Tab', 'End');
      await shows(/▸ db password +\*{8}/);
      press(key);
      await shows('secret-db-b-master');
      press('Esc');
      await highlights('master');
    },
    copyField: async key => {
      press('Tab', key);
      await shows("sent name of master, 6 bytes, to the terminal's clipboard");
      const copied = Buffer.from('master').toString('base64');
      expect(program.output()).toContain(`\u001b]52;c;${copied}`);
      press('Esc');
      await highlights('master');
    },
    toggleDetails: async key => {
      press(key);
      await shows(/^ Branch$/m);
      press(key);
      await highlights('master');
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
        halfPageUp: '14:01:52',
        halfPageDown: '14:02:48',
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
      await shows('no more gaps below');
    },
    previousGap: async key => {
      press(key);
      await shows('no more gaps above');
    },
    nextMarker: async key => {
      press(key);
      await shows('no more markers below');
    },
    previousMarker: async key => {
      press(key);
      await horizonIsOnTop();
    },
    nextError: async key => {
      press(key);
      await shows('no more errors below');
    },
    previousError: async key => {
      press(key);
      await shows('no more errors above');
    },
    nextWarning: async key => {
      press(key);
      await shows('no more warnings or errors below');
    },
    previousWarning: async key => {
      press(key);
      await shows('no more warnings or errors above');
    },
    nextNew: async key => {
      press(key);
      await shows('no more new warnings or errors below');
    },
    previousNew: async key => {
      press(key);
      await shows('no more new warnings or errors above');
    },
    goToTime: async key => {
      press(key, '14:01:10', 'Enter');
      await shows(rows => rows[3]?.startsWith('▸  14:01:10') === true);
    },
    lastMinute: async key => {
      press(key);
      await topIs('14:03:58');
    },
    lastFiveMinutes: showsAll,
    lastFifteenMinutes: showsAll,
    lastHour: showsAll,
    nextPeak: async key => {
      press(key);
      await shows('no more peaks below');
    },
    previousPeak: async key => {
      press(key);
      await shows('no more peaks above');
    },
    zoomStripIn: async key => {
      press(key);
      await shows('14:00:00 to 14:04:16');
      press('O', 'O', 'O');
      await shows('the strip already shows the whole buffer');
    },
    zoomStripOut: async key => {
      press('o');
      await shows('14:00:00 to 14:04:16');
      press(key);
      await shows('most 1 in 8 s');
    },
    toggleSummary: async key => {
      press(key);
      await shows('summary of 22 lines');
      press(key);
      await topIs('14:02:20');
    },
    toggleIncident: async key => {
      press(key);
      await shows(/^ CANNOT TELL: silent since 14:04:54 +nothing found in what is held, no errors/m);
      press(key);
      await topIs('14:02:20');
    },
    readOlder: async key => {
      press(key);
      await shows('the service holds nothing older');
    },
    watchFinding: async key => {
      press(key);
      await shows('I lists findings; W on one watches whether it stopped');
    },
    compareIncident: async key => {
      press(key);
      await shows('I lists findings; C there compares them with another branch');
    },
    sinceDeployment: async key => {
      press(key);
      await shows(/UPDATE_CONFIG_APPLICATION SUCCESS by user-7 +the deployment/);
      press('Esc');
      await topIs('14:02:20');
    },
    nextSection: async key => {
      press('u');
      await shows(/▸ +22 +100 % +info/);
      press(key);
      await shows(/▸ +22 +100 % +200/);
      press('Esc');
      await topIs('14:02:20');
    },
    markLine: async key => {
      press(key, 'look here', 'Enter');
      await shows(rows => rows[2]?.startsWith('▸  14:02:20') === true && rows[3]?.startsWith('  ● look here') === true);
      press(key, 'Ctrl+U', 'Enter');
      await shows(isWithout('look here'));
    },
    nextMark: key => goesToMark('g', key),
    previousMark: key => goesToMark('G', key),
    goToUnseen: async key => {
      press(key);
      await shows('nothing arrived while you looked away');
    },
    copyLink: async key => {
      const before = countOf('\u001b]52;c;');
      press(key);
      await shows("sent shop/master@2026-11-21T14:02:20.118Z, 36 bytes, to the terminal's clipboard");
      expect(countOf('\u001b]52;c;')).toBe(before + 1);
    },
    toggleInspector: async key => {
      press(key);
      await shows(/^ when +status/m);
      press(key);
      await topIs('14:02:20');
    },
    togglePods: async key => {
      press(key);
      await shows(/^ \d pods? runs?/m);
      press(key);
      await topIs('14:02:20');
    },
    toggleFilterList: async key => {
      press(key);
      await shows(/^ no filters in use/m);
      press(key);
      await topIs('14:02:20');
    },
    toggleSources: async key => {
      press(key);
      await shows(/this log does not report its sources|^ \d+ sources?/m);
      press(key);
      await topIs('14:02:20');
    },
    openSearch: async key => {
      press(key, 'product/49', 'Enter');
      await shows(/\/product\/49 {2}1 of 1/);
      await shows(/^▸ {2}14:02:06/m);
      press('Esc');
      await shows(isWithout('1 of 1'));
    },
    nextHit: async key => {
      press('/', 'product/5', 'Enter');
      await shows(' of 10');
      press(key, key);
      await shows('3 of 10');
      press('Esc');
      await shows(isWithout('of 10'));
    },
    previousHit: async key => {
      press('/', 'product/5', 'Enter');
      await shows('1 of 10');
      press('n', 'n', key);
      await shows('2 of 10');
      press('Esc');
      await shows(isWithout('of 10'));
    },
    filterIn: async key => {
      press(key, 'product/45', 'Enter');
      await shows(/\+ product\/45 {3}1 of 22/);
      press('x');
      await shows(isWithout('removes'));
    },
    filterOut: async key => {
      press(key, 'product/5', 'Enter');
      await shows(/− product\/5 {3}12 of 22/);
      press('x');
      await shows(isWithout('removes'));
    },
    removeFilter: async key => {
      press('f', '45', 'Enter', 'F', '46', 'Enter');
      await shows(/1 \+ 45 \(2\) {3}2 − 46 \(\d+\)/);
      press(key, '1', 'Enter');
      await shows(isWithout('+ 45'));
      await shows('− 46');
      press(key);
      await shows(isWithout('removes'));
    },
    removeFilters: async key => {
      press('f', '45', 'Enter', 'F', '46', 'Enter');
      await shows('− 46');
      press(key);
      await shows(isWithout('removes'));
    },
    toggleFilters: async key => {
      press('f', 'product/50', 'Enter');
      await shows('1 of 22');
      press(key);
      await shows('22 of 22');
      press(key);
      await shows('1 of 22');
      press('x');
      await shows(isWithout('removes'));
    },
    moreContext: async key => {
      press('f', 'product/50', 'Enter');
      await shows('1 of 22');
      press(key);
      await shows('3 of 22');
      await shows('± 1 line ');
      press('-', 'x');
      await shows(isWithout('removes'));
    },
    lessContext: async key => {
      press('f', 'product/50', 'Enter', '+', '+');
      await shows('± 2 lines');
      press(key, key);
      await shows('1 of 22');
      press('x');
      await shows(isWithout('removes'));
    },
    raiseLevel: async key => {
      press(key, key);
      await shows('≥ warn');
      press(key, key);
      await shows(isWithout('≥'));
    },
    lowerLevel: async key => {
      press(key);
      await shows('≥ error');
      press(key, key, key);
      await shows(isWithout('≥'));
    },
    highlight: async key => {
      const isHighlighted = (): boolean => {
        const cell = program.cells()[2]?.['   14:02:20.118 200 '.length];
        return cell !== undefined && (cell.background !== undefined || cell.inverse || cell.underline || cell.bold);
      };
      press(key, 'GET', 'Enter');
      await shows(isHighlighted);
      press(key, 'GET', 'Enter');
      await shows(() => !isHighlighted());
    },
    pickLines: async key => {
      press(key, '↓', key, '↓');
      await shows(rows => rows[3]?.startsWith('┃  14:02:34') === true && rows[4]?.startsWith('▸  14:02:48') === true);
      press('Esc', 'Esc');
      await shows(isWithout('▸'));
    },
    toggleWrap: async key => {
      press(key);
      await shows(rows => rows[3]?.startsWith('                ') === true && rows[3].includes('x86_64)'));
      press(key);
      await topIs('14:02:20');
      await shows(isWithout('wrapped'));
    },
    moveRight: async key => {
      press(key);
      await shows('from column 33');
      await shows(rows => /^ {3}14:02:20\.118 +1\.3 kB/.test(rows[2] ?? '') && !rows.join('').includes('GET'));
      press('0');
    },
    moveLeft: async key => {
      press('→', '→', key);
      await shows('from column 33');
      press(key);
      await shows(isWithout('from column'));
    },
    goToLineStart: async key => {
      press('→', '→', '→');
      await shows('from column 97');
      press(key);
      await shows(isWithout('from column'));
    },
    nextRowForm: async key => {
      press(key);
      await shows(/^ paused .* as received /m);
      press(key);
      await shows(/^ paused .* escaped /m);
      press(key);
      await shows(isWithout('escaped'));
    },
    toggleFolds: async key => {
      press(key);
      await shows(/^ paused .* folded /m);
      press(key);
      await shows(isWithout('folded'));
    },
    toggleRepeats: async key => {
      press(key);
      await shows(/^ paused .* repeats folded /m);
      press(key);
      await shows(isWithout('repeats folded'));
    },
    openLine: async key => {
      press(key);
      await shows('choose a line');
      press('↓', key);
      await shows(/^ 2026-11-21T14:02:34\.118000000Z {3}14:02:34\.118\+00:00 local/m);
      press('Esc', 'Esc');
      await topIs('14:02:20');
    },
    showTrail: async key => {
      press('Enter');
      await shows('choose a line');
      press('↓', 'Enter', 'Tab');
      await shows(/^ ▸ \w+ /m);
      press(key);
      await shows(/\d lines? +in 1 of 1 log in memory/);
      press('Esc', 'Esc', 'Esc', 'Esc');
      await topIs('14:02:20');
    },
    copyLines: async key => {
      press(key);
      await shows('choose a line, y copies it');
      press(key);
      await shows(/sent 1 line, \d+ bytes/);
      press('Esc');
    },
    copyVisible: async key => {
      press(key);
      await shows(/sent 5 lines, \d+ bytes/);
    },
    saveLines: async key => {
      press(key);
      await shows('save lines to ./shop-master-2026');
      press('Ctrl+U', `${key}.log`, 'Enter');
      await shows(/saved 22 lines, [\d,]+ bytes, to s\.log/);
    },
    saveIncident: async key => {
      press(key);
      await shows('save a note to ./incident-shop-master-2026');
      press('Ctrl+U', `${key}.md`, 'Enter');
      await shows(/saved a note of \d findings?, 0 marks and 1 marker, to S\.md/);
    },
    saveTimeline: async key => {
      press(key);
      await shows('save a timeline to ./timeline-shop-master-2026');
      press('Ctrl+U', `${key}.md`, 'Enter');
      await shows(/saved a timeline of \d+ rows?, to J\.md/);
    },
    pipeToPager: async key => {
      press(key);
      await shows(rows => !program.altScreenActive() && rows.some(row => row.includes('GET /product/61')));
      press('Enter');
      await topIs('14:02:20');
    },
    pipeToCommand: async key => {
      press(key, 'wc -l', 'Enter');
      await shows('press Enter to return');
      await shows(/^22$/m);
      press('Enter');
    },
    nextTimeMode: async key => {
      press(key);
      await shows('2026-11-21T14:02:20.118Z 200');
      press(...Array.from({length: 6}, () => key));
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
      press('g', '↓', '↓', '↓');
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
    await highlights('master');
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

  const keys = bindingsOn(screen)
    .flatMap(({command, help, keys: names}) => names.map(key => ({key, command, help})))
    // Each way to quit takes a program of its own.
    .toSorted((a, b) => Number(a.command === 'quit') - Number(b.command === 'quit'));
  test.each(keys)('$key: $help', async ({key, command}) => {
    const run = cases[screen][command] ?? expect.fail(`no case for ${command} on the ${screen} screen`);
    if (program === undefined || program.hasExited()) {
      program = service.open({args, columns: 90, rows, env: {PAGER: 'cat; read -r _ </dev/tty'}});
    }
    await goToMiddle[screen]();
    await run(key);
  });
});
