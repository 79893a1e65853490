import {type LogHandler, withLog} from '#app/state/handler.ts';
import type {LogState} from '#app/state/state.ts';
import {stay} from '#app/state/step.ts';
import {readAgain} from './update-incident.ts';
import {openTrail} from './update-value-trace.ts';

/** Leads back to the pane from which a line was gone to, with the same row highlighted. */
export const returnToPane: LogHandler = (state, log, command) => {
  const {cameFrom: pane} = log;
  if (command !== 'back' || pane === undefined) {
    return undefined;
  }
  const left: LogState = {...log, cameFrom: undefined};
  switch (pane.kind) {
    case 'incident':
      return readAgain(state, left, pane, pane.compared);
    case 'summary':
      return stay(
        withLog(state, {...left, overlay: pane}),
        ...(pane.readCount < pane.order.entryCount ? [{kind: 'summarise', order: pane.order} as const] : []),
      );
    case 'trail': {
      const opened = openTrail(state, left, pane.from, 'showTrail');
      const overlay = opened?.state.log?.overlay;
      const {selectedKey, top} = pane;
      return opened?.state.log === undefined || overlay?.kind !== 'trail'
        ? opened
        : {...opened, state: withLog(opened.state, {...opened.state.log, overlay: {...overlay, selectedKey, top}})};
    }
    default:
      return pane satisfies never;
  }
};
