import {doWork} from '../../../api/do-work.ts';
import {findIncident, type IncidentSource} from '../../../log/incident/find-incident.ts';
import type {Event} from '../../state/event.ts';

/** Fewer are read whole at once. */
const quickEntriesMin = 20_000;

/** Reads an incident between keys: a first look, then the whole. */
export const findInSlices = async (
  sources: readonly IncidentSource[],
  signal: AbortSignal,
  dispatch: (event: Event) => void,
): Promise<void> => {
  const entryCount = sources.reduce((sum, {buffer}) => sum + buffer.entryCount, 0);
  for (const look of entryCount > quickEntriesMin ? (['quick', 'whole'] as const) : (['whole'] as const)) {
    const incident = await doWork(findIncident(sources, look), signal).catch((error: unknown) => {
      if (!signal.aborted) {
        throw error;
      }
    });
    if (incident === undefined) {
      return;
    }
    dispatch({kind: 'incidentFound', sources, incident});
  }
};
