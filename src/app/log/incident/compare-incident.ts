import type {Branch} from '../../../api/decode/branch.ts';
import {branchName} from '../../choices/branch-choices.ts';
import {keyFor} from '../../keys/keymap.ts';
import {askFor} from '../../state/ask-for.ts';
import type {LogHandler} from '../../state/handler.ts';
import type {LogState, State} from '../../state/state.ts';
import {type Step, stay} from '../../state/step.ts';
import {createTail, type Tail} from '../../tail/tail.ts';
import {readAgain} from './update-incident.ts';

/** Asks with which branch the findings are compared: the one before, or the log that was left last. */
export const askCompared: LogHandler = (state, log, command) => {
  if (command !== 'compareIncident') {
    return undefined;
  }
  if (log.overlay?.kind !== 'incident') {
    const [list, compare] = [keyFor('toggleIncident', 'log'), keyFor('compareIncident', 'log')];
    return stay({...state, notice: `${list} lists findings; ${compare} there compares them with another branch`});
  }
  const names = othersOf(state, log).map(branchName);
  const left = state.held
    .filter(({log: each}) => each.siteId === log.siteId)
    .toSorted((a, b) => b.leftAtMs - a.leftAtMs);
  const known = [
    log.overlay.compared?.branch,
    ...left.flatMap(({log: each}) => each.sources.map(({branch}) => branch)),
  ];
  const offered = known
    .flatMap(branch => branch ?? [])
    .map(branchName)
    .find(name => names.includes(name));
  return names.length === 0
    ? stay({...state, notice: 'no other branch of the site has a log to compare with'})
    : askFor(state, 'compared', offered);
};

/** Takes the branch that was named: its whole name, or a part that only one has. Empty: compares no more. */
export const takeCompared = (state: State, log: LogState, text: string): Step => {
  const {overlay, siteId} = log;
  if (overlay?.kind !== 'incident') {
    return stay(state);
  }
  if (text === '') {
    return readAgain(state, log, overlay, undefined);
  }
  const others = othersOf(state, log);
  const named = others.filter(branch => branchName(branch) === text);
  const found = named.length > 0 ? named : others.filter(branch => branchName(branch).includes(text));
  const [branch] = found;
  if (branch === undefined || found.length > 1) {
    const count = branch === undefined ? 'no other branch' : 'more than one branch';
    return stay({...state, notice: `${count} with a log has “${text}” in its name`});
  }
  return readAgain(state, log, overlay, {siteId, branch, tail: heldTail(state, log, branch) ?? newTail(state)});
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
