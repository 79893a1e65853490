import {findIncident} from '#log/incident/find-incident.ts';
import {findSince} from '#log/incident/since-change.ts';
import {finishWork} from '#log/work.ts';
import type {Play} from '../support/play.ts';

/** Reads the incident that was asked for last, as the effect does between keys. */
export const answerIncident = (play: Play): void => {
  const asked = play.effects.findLast(effect => effect.kind === 'findIncident');
  if (asked !== undefined) {
    const {order} = asked;
    play.send({
      kind: 'incidentFound',
      order,
      incident:
        (order.isOfDeployment ? finishWork(findSince(order.sources, order.asked)) : undefined) ??
        finishWork(findIncident(order.sources, {asked: order.asked})),
      compared: undefined,
      tookMs: 1,
    });
  }
};
