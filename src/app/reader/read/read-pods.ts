import {sanitiseWord} from '../../../log/text/sanitise.ts';
import {listPods, openedPod, selectedPod} from '../../log/pods/list-pods.ts';
import {focusedPodField} from '../../log/pods/pod-fields.ts';
import {podWords} from '../../log/pods/pod-words.ts';

import {messageCharsMax} from '../../rows/word-limits.ts';
import type {LogState, PodsPane, State} from '../../state/state.ts';
import {joinWords, placeInList} from './list-items.ts';

/** Returns the highlighted pod, or the highlighted field of the open one. */
export const readPods = (state: State, log: LogState, pane: PodsPane): string => {
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  const field = opened && focusedPodField(opened, pane);
  if (field !== undefined) {
    const {label, prefix = '', summary, value} = field;
    return sanitiseWord(`${label.trim()}: ${prefix}${summary ?? value}`, messageCharsMax);
  }
  const pod = selectedPod(pods, pane);
  if (pod === undefined) {
    return 'The service lists no pods.';
  }
  const {name, age, when, owner, image} = podWords(state, pod);
  return `${joinWords([name, age, when, owner, image])}; ${placeInList(pods.indexOf(pod), pods.length)}`;
};
