import type {StampedEvent} from '#app/state/event.ts';
import type {LogState, State} from '#app/state/state.ts';
import {next, type Step} from '#app/state/step.ts';
import {filterOn, takePatternAnswer} from './apply-filters.ts';
import {measureColumns} from './columns-pane.ts';
import {readOn} from './fetch-window.ts';
import {fitHeld} from './held-logs.ts';
import {keepMatching} from './keep-matching.ts';
import {keepRemembered, recallLog} from './memory.ts';
import {settlePodSecret} from './pod-fields.ts';
import {takeSaveNews} from './saving.ts';
import {orderScan, settleSoughtPod, takeProgress} from './search.ts';
import {takeUnread} from './unread-ranges.ts';
import {takeIncident} from './update-incident.ts';
import {logWindowArrived, logWindowFailed, pollDue} from './update-polls.ts';
import {takeSummary} from './update-summary.ts';
import {askForBranches} from './update-watch.ts';

/** An event for the open log: what was asked, computed, found, saved or remembered for it. */
export type LogEvent = Extract<
  StampedEvent,
  {
    readonly kind:
      | 'patternMatched'
      | 'spansFound'
      | 'patternSlow'
      | 'patternFailed'
      | 'incidentFound'
      | 'summaryCounted'
      | 'filterDue'
      | 'logRecalled'
      | 'unreadFound'
      | 'scanProgressed'
      | 'saveProgressed'
      | 'saveEnded'
      | 'refreshDue'
      | 'pollDue'
      | 'windowArrived'
      | 'windowFailed';
  }
>;

/** Takes an event for the open log; returns undefined if it was for what is no longer on the screen. */
export const takeLogEvent = (state: State, log: LogState, event: LogEvent): Step | undefined => {
  switch (event.kind) {
    case 'patternMatched':
    case 'spansFound':
    case 'patternSlow':
    case 'patternFailed':
      return next(takePatternAnswer(state, log, event));
    case 'incidentFound': {
      const found = takeIncident(state, event);
      // Older lines may be wanted now.
      return found && readOn(log, next(found));
    }
    case 'summaryCounted': {
      const counted = takeSummary(state, event);
      return counted && next(counted);
    }
    case 'filterDue':
      return next(filterOn(state, log) ?? state);
    case 'logRecalled':
      return next(recallLog(state, log, event.memory));
    case 'unreadFound':
      return takeUnread(state, log, event);
    case 'scanProgressed':
      return next(takeProgress(state, event.progress));
    case 'saveProgressed':
    case 'saveEnded':
      return takeSaveNews(state, log, event);
    case 'refreshDue':
      return askForBranches(state, log);
    case 'pollDue':
      return pollDue(state, log, event.branchId);
    case 'windowArrived':
      return logWindowArrived(state, log, event);
    case 'windowFailed':
      return logWindowFailed(state, log, event);
    default:
      return event satisfies never;
  }
};

/** Runs after every event: settles what in the log depends on the rest of the state. */
export const settleLog = (state: State): State => fitHeld(measureColumns(settleSoughtPod(settlePodSecret(state))));

/** Runs last after every event: orders what is to be searched, and saves what is remembered. */
export const followLog = (before: State, step: Step): Step =>
  keepRemembered(before, orderScan(before, keepMatching(before, step)));
