/**
 * The service for the measurements, in its own process, so that its work is not counted as the program's. Its parent
 * tells it which branches there are and how their logs grow; it reports its answers.
 */
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {makeBuiltBranch, makeLogAnswer} from '../../test/support/fake-records.ts';
import type {ServiceOrder, ServiceReport} from './log-plan.ts';
import {createPlannedLog, type PlannedLog} from './planned-log.ts';
import {branchCountOf} from './site-of.ts';

const statuses = ['DEPLOY_APPLICATION_SUCCESS', 'DEPLOY_APPLICATION_FAILED', 'BUILD_APPLICATION_RUNNING', null];

/** A branch with what the list shows of it. */
const makeListedBranch = (index: number) => ({
  _id: `id-${index}`,
  name: `feature/shop-${index}`,
  status: statuses[index % statuses.length],
  branchType: 'FEATURE',
  replicas: index % 5,
  createdAt: '2025-01-02T03:04:05.678Z',
  updatedAt: '2025-11-22T03:04:05.678Z',
});

const logs = new Map<string, PlannedLog>();

const report = (what: ServiceReport): void => {
  process.send?.(what);
};

process.on('message', (order: ServiceOrder) => {
  if (order.kind === 'open') {
    logs.set(order.branch, createPlannedLog(order.plan));
  } else {
    logs.get(order.branch)?.add(order.lines);
  }
});
// The parent has ended.
process.on('disconnect', () => process.exit(0));

const server = createServer((request, response) => {
  const branch = /\/branches\/([^/]+)\/logs$/.exec(request.url ?? '')?.[1];
  const log = branch === undefined ? undefined : logs.get(branch);
  const branchCount = branchCountOf(request.url ?? '');
  response.setHeader('content-type', 'application/json');
  if (branchCount !== undefined) {
    response.end(JSON.stringify(Array.from({length: branchCount}, (_, index) => makeListedBranch(index))));
  } else if (branch === undefined) {
    response.end(JSON.stringify([...logs.keys()].map(id => makeBuiltBranch(id, id))));
  } else if (log === undefined) {
    response.writeHead(404).end('{}');
  } else {
    response.end(JSON.stringify(makeLogAnswer(log.window(), [{name: 'web-0'}])), () =>
      report({kind: 'answered', branch, linesLogged: log.linesLogged, requests: log.requests}),
    );
  }
});
server.listen(0, '127.0.0.1', () => report({kind: 'listening', port: (server.address() as AddressInfo).port}));
