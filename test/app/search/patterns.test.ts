import {describe, expect, test} from 'vitest';
import {editText, openPrompt, type PromptHistory, recall, remember, typeText} from '#app/keys/prompt.ts';
import {batchesOf, changeLook, isFolding, type LogLook, plainLook} from '#app/parts/log-parts.ts';
import {
  changePattern,
  dropUnused,
  findPattern,
  noPatterns,
  type PatternUse,
  searchedId,
  searchedPattern,
  spansOf,
  takeUpPattern,
} from '#app/search/patterns.ts';
import {viewAll} from '#app/state/log-sources.ts';
import {promptCharsMax} from '#base/bounds.ts';
import {linesOf, openLogWith} from '../../support/play.ts';

describe('patterns', () => {
  const used = (...queries: readonly string[]): PatternUse =>
    queries.reduce((use, query) => {
      const taken = takeUpPattern(use, query);
      return 'error' in taken ? expect.fail(taken.error) : taken.use;
    }, noPatterns(2));

  test('have ids that no pattern of another log has, one after the other', () => {
    expect(noPatterns(0).nextPatternId).toBe(1);
    expect(noPatterns(1).nextPatternId).toBe(1_000_001);
    const use = used('a', 'b');
    expect(use.patterns.map(({id}) => id)).toEqual([2_000_001, 2_000_002]);
    expect(use.nextPatternId).toBe(2_000_003);
  });

  test('are used again for the same query, unless they failed', () => {
    const use = used('a', 'b');
    expect(takeUpPattern(use, 'a')).toEqual({use, id: 2_000_001});
    const failed = changePattern(use, 2_000_001, {failure: 'gave up'});
    expect(failed.patterns.map(({failure}) => failure)).toEqual(['gave up', undefined]);
    const again = takeUpPattern(failed, 'a');
    expect('id' in again && again.id).toBe(2_000_003);
    const [first] = failed.patterns;
    expect([first?.id, first?.pattern.query, first?.isSlow, first?.version]).toEqual([2_000_001, 'a', false, 0]);
  });

  test('that are none say why', () => {
    expect(takeUpPattern(noPatterns(1), 're:(')).toHaveProperty('error');
  });

  test('go when nobody uses them', () => {
    const use = used('a', 'b', 'c', 'd', 'e');
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = use.patterns.map(({id}) => id);
    const busy: PatternUse = {
      ...use,
      search: {kind: 'resting', patternId: a},
      filters: [{kind: 'include', patternId: b}],
      highlights: [c],
      trailId: d,
    };
    const left = dropUnused(busy);
    expect(left.patterns.map(({id}) => id)).toEqual([a, b, c, d]);
    expect(left.filters).toBe(busy.filters);
    expect(dropUnused(left)).toBe(left);
    expect(findPattern(left, e)).toBeUndefined();
    expect(findPattern(left, undefined)).toBeUndefined();
    expect([searchedId(left), searchedPattern(left)?.pattern.query]).toEqual([a, 'a']);
    expect([searchedId(use), searchedPattern(use)]).toEqual([undefined, undefined]);
  });

  test('that are literal are found in any text, others as far as they were looked for', () => {
    const use = used('a', 're:b+');
    const [literal = expect.fail(), regex = expect.fail()] = use.patterns;
    expect(spansOf(literal, 'banana')).toHaveLength(3);
    expect(spansOf(regex, 'abb')).toEqual([]);
    const spans = [{start: 1, end: 3}];
    const [, known = expect.fail()] = changePattern(use, regex.id, {spans: new Map([['abb', spans]])}).patterns;
    expect(spansOf(known, 'abb')).toBe(spans);
    expect(spansOf(known, 'bb')).toEqual([]);
  });
});

describe('an input line', () => {
  test('takes as much text as it holds, and nothing more', () => {
    const full = typeText(openPrompt('search'), 'x'.repeat(promptCharsMax));
    expect([full.text.length, typeText(full, 'y').text.endsWith('y')]).toEqual([500, false]);
    expect(typeText(openPrompt('search', 'ab'), 'c')).toEqual({kind: 'search', text: 'abc', choice: 0, back: 0});
  });

  test('loses a character, a word with the blanks after it, or all', () => {
    expect(editText('ab😀', 'Backspace')).toBe('ab');
    expect(editText('', 'Backspace')).toBe('');
    expect(editText('one two  ', 'DeleteWord')).toBe('one ');
    expect(editText('one', 'DeleteWord')).toBe('');
    expect(editText('one two', 'ClearLine')).toBe('');
  });

  test('goes back in the history of its kind, and forward to an empty line', () => {
    const history: PromptHistory = {search: ['new', 'old'], time: ['14:00']};
    const at = (prompt: ReturnType<typeof openPrompt>, count: number) => recall(prompt, history, count);
    const first = at(openPrompt('search', 'typed'), 1);
    expect(first).toEqual({kind: 'search', text: 'new', choice: 0, back: 1});
    const second = at(first, 1);
    expect([second.text, second.back]).toEqual(['old', 2]);
    expect(at(second, 1)).toBe(second);
    expect([at(second, -1).text, at(first, -1).text, at(first, -1).back]).toEqual(['new', '', 0]);
    const fresh = openPrompt('include', 'x');
    expect(at(fresh, 1)).toBe(fresh);
    expect(at(openPrompt('search', 'typed'), -1).text).toBe('typed');
  });

  test('remembers what was typed, each text once, the last fifty', () => {
    const history = remember({search: ['a', 'b'], time: ['14:00']}, openPrompt('search', 'b'));
    expect(history).toEqual({search: ['b', 'a'], time: ['14:00']});
    expect(remember(history, openPrompt('search', ''))).toBe(history);
    const many = Array.from({length: 51}, (_, index) => `${index}`).reduce(
      (all, text) => remember(all, openPrompt('search', text)),
      {} as PromptHistory,
    );
    expect(many.search).toHaveLength(50);
    expect([many.search?.[0], many.search?.at(-1)]).toEqual(['50', '1']);
  });
});

describe('the look of a log', () => {
  const probeAfter = (look: Partial<LogLook>, ...commands: readonly Parameters<typeof changeLook>[1][]): LogLook =>
    commands.reduce((changed: LogLook, command) => changeLook(changed, command) ?? expect.fail(), {
      ...plainLook,
      ...look,
    });

  test('is plain at first', () => {
    expect(plainLook).toEqual({
      wraps: false,
      cellsLeft: 0,
      time: 'clock',
      rows: 'laid-out',
      columns: [],
      foldsTraces: false,
    });
  });

  test('goes sideways by 32 cells, not beyond the beginning and the end of a line, and not where lines wrap', () => {
    expect(probeAfter({}, 'moveRight', 'moveRight').cellsLeft).toBe(64);
    expect(probeAfter({cellsLeft: 40}, 'moveLeft').cellsLeft).toBe(8);
    expect(probeAfter({cellsLeft: 31}, 'moveLeft').cellsLeft).toBe(0);
    expect(probeAfter({cellsLeft: 16_352}, 'moveRight').cellsLeft).toBe(16_384);
    expect(probeAfter({cellsLeft: 16_384}, 'moveRight').cellsLeft).toBe(16_384);
    expect(probeAfter({cellsLeft: 64}, 'goToLineStart').cellsLeft).toBe(0);
    const wrapped = probeAfter({wraps: true}, 'moveRight');
    expect([wrapped.wraps, wrapped.cellsLeft]).toEqual([true, 0]);
  });

  test('wraps and cuts, folds and unfolds, and goes back to the beginning of lines', () => {
    expect(probeAfter({cellsLeft: 32, time: 'utc'}, 'toggleWrap')).toEqual({...plainLook, wraps: true, time: 'utc'});
    expect(probeAfter({wraps: true}, 'toggleWrap').wraps).toBe(false);
    expect([
      probeAfter({}, 'toggleFolds').foldsTraces,
      probeAfter({foldsTraces: true}, 'toggleFolds').foldsTraces,
    ]).toEqual([true, false]);
  });

  test('goes through the forms of a row and of the time, round and round', () => {
    const forms = ['laid-out', 'received', 'escaped'] as const;
    expect(forms.map(rows => probeAfter({rows, cellsLeft: 32}, 'nextRowForm'))).toEqual(
      (['received', 'escaped', 'laid-out'] as const).map(rows => ({...plainLook, rows})),
    );
    const times = ['clock', 'utc', 'local', 'relative', 'sinceLine', 'sinceMark', 'off'] as const;
    expect(times.map(time => probeAfter({time, wraps: true}, 'nextTimeMode').time)).toEqual([
      ...times.slice(1),
      'clock',
    ]);
    expect(probeAfter({time: 'utc', wraps: true}, 'nextTimeMode').wraps).toBe(true);
    expect(changeLook(plainLook, 'moveDown')).toBeUndefined();
  });

  test('folds traces, but no escaped lines', () => {
    expect([
      isFolding({...plainLook, foldsTraces: true}),
      isFolding({...plainLook, foldsTraces: true, rows: 'escaped'}),
      isFolding(plainLook),
    ]).toEqual([true, false, false]);
  });
});

test('a scope is handed on in batches of 64, from its first entry to the one before its end', () => {
  const view = viewAll(openLogWith(linesOf(1, 150)).state.log ?? expect.fail());
  const sizes = (first: number, end: number): readonly number[] =>
    [...batchesOf({view, first, end, chosen: 'all'})].map(({length}) => length);
  expect(sizes(0, 128)).toEqual([64, 64]);
  expect(sizes(0, 129)).toEqual([64, 64, 1]);
  expect(sizes(10, 10)).toEqual([]);
  expect([...batchesOf({view, first: 2, end: 4, chosen: 'all'})].flat()).toEqual(view.slice(2, 2));
});
