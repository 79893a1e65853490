import type {SitePlan} from '../plan/plans.ts';
import {portalCode} from '../plan/portal-code.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../seed/durations.ts';
import {dayShop} from './day-shop.ts';
import {deployed, planBranch, planMaster, released, settled, trafficLog, unbuilt} from './plan-branch.ts';
import {bookingPaths, magazinePaths} from './site-paths.ts';

/** The sites of a working day. */
export const daySites: readonly SitePlan[] = [
  dayShop,
  {
    name: 'magazine',
    domain: 'magazine.example',
    paths: magazinePaths,
    code: portalCode,
    branches: [
      planMaster({
        course: released({firstMs: 3 * minuteMs, everyMs: 13 * minuteMs, lengthMs: 32 * secondMs, failsEvery: 3}),
        customDomains: ['www.magazine.example'],
        shapeLog: trafficLog(3, 7 * minuteMs),
      }),
      planBranch({name: 'issue-48', course: deployed, changedAgoMs: 50 * minuteMs, editor: true}),
      planBranch({name: 'issue-49', course: unbuilt, madeAgoMs: 2 * dayMs, changedAgoMs: 2 * dayMs}),
      planBranch({
        name: 'paywall',
        course: settled('DEPLOY_APPLICATION_FAILED'),
        changedAgoMs: 21 * hourMs,
      }),
      planBranch({name: 'archive', course: deployed, changedAgoMs: 200 * dayMs, madeAgoMs: 300 * dayMs}),
    ],
  },
  {
    name: 'booking',
    domain: 'booking.example',
    paths: bookingPaths,
    code: portalCode,
    branches: [
      planMaster({customDomains: ['rooms.booking.example'], replicas: 3, shapeLog: trafficLog(2.5, 11 * minuteMs)}),
      planBranch({
        name: 'develop',
        course: released({firstMs: 80 * secondMs, everyMs: 6 * minuteMs, lengthMs: 35 * secondMs, failsEvery: 2}),
      }),
      planBranch({name: 'feature/calendar-sync', course: unbuilt, madeAgoMs: 8 * hourMs, changedAgoMs: 8 * hourMs}),
      planBranch({name: 'feature/waiting-list', course: deployed, changedAgoMs: 19 * dayMs, madeAgoMs: 31 * dayMs}),
    ],
  },
  {
    name: 'handbook',
    domain: 'handbook.example',
    paths: magazinePaths,
    code: portalCode,
    branches: [
      planMaster({replicas: 1, changedAgoMs: 12 * dayMs, shapeLog: trafficLog(0.3)}),
      planBranch({name: 'drafts', course: deployed, editor: true, locked: true, shapeLog: trafficLog(0.1)}),
      planBranch({name: 'rewrite', course: unbuilt, madeAgoMs: 61 * dayMs, changedAgoMs: 61 * dayMs}),
    ],
  },
];
