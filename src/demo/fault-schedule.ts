import type {Fault} from '#service/backend/backend.ts';
import {secondMs} from './seed/durations.ts';

const loginPage = `<!DOCTYPE html>
<html lang="en"><head><title>Sign in</title></head>
<body><h1>Sign in to continue</h1><form method="post" action="/login"><input name="user"><input name="password" type="password"></form></body></html>
`;

const faults: readonly {readonly fault: Fault; readonly lengthMs: number}[] = [
  {fault: {kind: 'status', status: 500}, lengthMs: 12 * secondMs},
  {fault: {kind: 'status', status: 503, headers: {'retry-after': '5'}}, lengthMs: 12 * secondMs},
  {fault: {kind: 'status', status: 429, headers: {'retry-after': '4'}}, lengthMs: 10 * secondMs},
  // Short: a refused client tries again only after half a minute.
  {fault: {kind: 'status', status: 401}, lengthMs: 6 * secondMs},
  {fault: {kind: 'body', body: loginPage, contentType: 'text/html; charset=utf-8'}, lengthMs: 12 * secondMs},
  {
    fault: {
      kind: 'body',
      body: '{"podNamesList":[{"name":"shop-master-',
      contentType: 'application/json; charset=utf-8',
    },
    lengthMs: 12 * secondMs,
  },
  {fault: {kind: 'cut'}, lengthMs: 12 * secondMs},
  // Long enough for a client that waits 10 s for an answer to time out once.
  {fault: {kind: 'stall'}, lengthMs: 15 * secondMs},
];

/** The time without faults before each fault; the first one lets a reader arrive. */
const firstGoodMs = 10 * secondMs;
const goodMs = 14 * secondMs;

const roundMs = faults.reduce((sum, {lengthMs}) => sum + lengthMs + goodMs, 0);

/**
 * Returns the fault at a moment, `demoMs` milliseconds after the demo's start: each in turn, with a good stretch in
 * between, repeatedly.
 */
export const faultAt = (demoMs: number): Fault | undefined => {
  if (demoMs < firstGoodMs) {
    return undefined;
  }
  let leftMs = (demoMs - firstGoodMs) % roundMs;
  for (const {fault, lengthMs} of faults) {
    if (leftMs < lengthMs) {
      return fault;
    }
    leftMs -= lengthMs + goodMs;
    if (leftMs < 0) {
      return undefined;
    }
  }
  return undefined;
};
