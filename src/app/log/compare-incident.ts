import type {Branch} from '#api/client/answer.ts';
import {branchName} from '#app/choices/branch-choices.ts';
import {drawChoices} from '#app/choices/palette.ts';
import {keyFor} from '#app/keys/keymap.ts';
import type {Prompt} from '#app/keys/prompt.ts';
import {type RowsPane, span} from '#app/rows/view-row.ts';
import type {LogState, State} from '#app/state/state.ts';
import {askFor, type LogHandler, next, type Step} from '#app/state/step.ts';
import {createTail, type Tail} from '#app/tail/tail.ts';
import {describeStatus} from '#app/words/describe-status.ts';
import {bestFirst, createFuzzyScorer, scoreItems} from '#log/fuzzy.ts';
import {padToCells} from '#log/text/cut.ts';
import {readAgain} from './update-incident.ts';

/** Lists the branches that the findings can be compared with. */
export const askCompared: LogHandler = (state, log, command) => {
  if (command !== 'compareIncident') {
    return undefined;
  }
  if (log.overlay?.kind !== 'incident') {
    const [list, compare] = [keyFor('toggleIncident', 'log'), keyFor('compareIncident', 'log')];
    return next({...state, notice: `${list} lists findings; ${compare} there compares them with another branch`});
  }
  return othersOf(state, log).length === 0
    ? next({...state, notice: 'no other branch of the site has a log to compare with'})
    : askFor(state, 'compared');
};

/** With what findings can be compared; without a branch, with nothing. */
type ComparedChoice = {readonly branch: Branch | undefined; readonly name: string; readonly what: string};

/**
 * Returns the branches to choose from: what is compared with now and those whose logs were left, the last one first,
 * then the others; while a name is typed the best match first.
 */
export const comparedChoices = (state: State, log: LogState, text: string): readonly ComparedChoice[] => {
  const typed = text.trim();
  const now = log.overlay?.kind === 'incident' ? log.overlay.order.compared?.branch._id : undefined;
  const left = state.held
    .filter(({log: each}) => each.siteId === log.siteId)
    .toSorted((a, b) => b.leftAtMs - a.leftAtMs)
    .flatMap(({log: each}) => each.sources.map(({branch}) => branch._id));
  const known = [...(now === undefined ? [] : [now]), ...left];
  const placeOf = ({_id}: Branch): number => (known.includes(_id) ? known.indexOf(_id) : known.length);
  const choices = othersOf(state, log)
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((branch): ComparedChoice => {
      const {words} = describeStatus(branch.status);
      const what = branch._id === now ? 'compared now' : left.includes(branch._id) ? 'its log is held' : words;
      return {branch, name: branchName(branch), what};
    });
  if (typed !== '') {
    const scoreOf = createFuzzyScorer(typed);
    return bestFirst(scoreItems(choices, ({name}) => scoreOf(name)));
  }
  const none: ComparedChoice = {branch: undefined, name: 'none', what: 'compare no more'};
  return now === undefined ? choices : choices.toSpliced(1, 0, none);
};

const branchColumns = 40;

/** Renders the branches to choose from in place of the pane. */
export const selectCompared = (state: State, log: LogState, prompt: Prompt): RowsPane =>
  drawChoices(state, prompt, comparedChoices(state, log, prompt.text), ({name, what}, tone) => [
    span(padToCells(name, branchColumns), tone),
    span(` ${what}`, 'dim'),
  ]);

/** Takes the branch that was chosen; without one, compares no more. */
export const takeCompared = (state: State, log: LogState, {text, choice}: Prompt): Step => {
  const {overlay, siteId} = log;
  if (overlay?.kind !== 'incident') {
    return next(state);
  }
  const chosen = comparedChoices(state, log, text)[choice];
  if (chosen === undefined) {
    return next({...state, notice: `no other branch with a log is like “${text}”`});
  }
  const {branch} = chosen;
  const compared = branch && {siteId, branch, tail: heldTail(state, log, branch) ?? newTail(state)};
  return readAgain(state, log, overlay, compared);
};

/** Branches that have a log, and whose log this is not. */
const othersOf = ({branches}: State, {siteId, sources}: LogState): readonly Branch[] =>
  branches?.siteId !== siteId
    ? []
    : branches.branches.filter(({_id, status}) => status !== null && !sources.some(({branch}) => branch._id === _id));

const heldTail = ({held}: State, {siteId}: LogState, {_id}: Branch): Tail | undefined =>
  held
    .filter(({log}) => log.siteId === siteId)
    .flatMap(({log}) => log.sources)
    .find(({branch}) => branch._id === _id)?.tail;

const newTail = ({logSettings: {intervalMs, bufferBytesMax}}: State): Tail =>
  createTail({intervalMs, bufferBytesMax, keepsLateLines: true});
