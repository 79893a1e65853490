import {selectedRow} from '#app/list-pane/list-place.ts';
import {pressInRecord} from '#app/record/open-record.ts';
import {type ListHandler, withLog} from '#app/state/handler.ts';
import {paneRows} from '#app/state/pane-size.ts';
import type {LogState, PodsPane, State} from '#app/state/state.ts';
import {stay} from '#app/state/step.ts';
import {listPods, openedPod} from '../list-pods.ts';
import {podRecord} from '../pod-fields.ts';
import {showLinesOf} from '../seek-pod-lines.ts';

export const openPods = (state: State, log: LogState): State =>
  withLog(state, {...log, overlay: {kind: 'pods', selectedKey: listPods(log)[0]?.key, top: 0}});

/** Handles the commands that only the pods have, and all but a few in the record of an open one. */
export const updatePods: ListHandler<PodsPane> = (state, log, pane, command) => {
  const withPane = (change: Partial<PodsPane>): State => withLog(state, {...log, overlay: {...pane, ...change}});
  const pods = listPods(log);
  const opened = openedPod(pods, pane);
  const pod = opened ?? selectedRow(pods, pane);
  if (pod === undefined || command === 'togglePods') {
    return undefined;
  }
  if (command === 'filterIn') {
    return stay(showLinesOf(state, log, pod.pod.name, pods));
  }
  if (opened === undefined) {
    return command === 'openLine' ? stay(withPane({selectedKey: pod.key, details: {fieldKey: undefined}})) : undefined;
  }
  if (command === 'back') {
    return stay(withPane({details: undefined}));
  }
  const use = {
    screen: 'log',
    reveal: 'openLine',
    copy: 'copyLines',
    pageRows: Math.max(1, paneRows(state) - 2),
    withPlace: withPane,
  } as const;
  return pressInRecord(state, podRecord(opened, pane), command, use) ?? stay(state);
};
