import {fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {waitFor} from '../../test/support/wait-for.ts';
import type {LogPlan, ServiceOrder, ServiceReport} from './log-plan.ts';

export type Service = {
  readonly port: number;
  /** Creates a branch with its own log; its clock starts now. */
  open(branch: string, plan: LogPlan): void;
  /** Logs this many lines now. */
  add(branch: string, lines: number): void;
  /** Returns how many lines of a branch the answers so far have shown, and how many answers there were. */
  answered(branch: string): {readonly linesLogged: number; readonly requests: number};
  close(): void;
};

/** Starts the service in its own process. */
export const startService = async (): Promise<Service> => {
  const child = fork(fileURLToPath(new URL('./service.ts', import.meta.url)), {stdio: 'inherit'});
  const answers = new Map<string, {readonly linesLogged: number; readonly requests: number}>();
  let port: number | undefined;
  child.on('message', (report: ServiceReport) => {
    if (report.kind === 'listening') {
      port = report.port;
    } else {
      answers.set(report.branch, report);
    }
  });
  const order = (what: ServiceOrder): void => {
    child.send(what);
  };
  return {
    port: await waitFor(() => port, {what: 'the service to listen'}),
    open: (branch, plan) => order({kind: 'open', branch, plan}),
    add: (branch, lines) => order({kind: 'add', branch, lines}),
    answered: branch => answers.get(branch) ?? {linesLogged: 0, requests: 0},
    close: () => child.disconnect(),
  };
};
