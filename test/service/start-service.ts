import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {builtProgram} from '../support/built-program.ts';
import {waitFor} from '../support/wait-for.ts';

/** Runs the built program on the `serve.toml` of a folder, in a process of its own, so that it can be killed. */
export const startService = async (folder: string) => {
  const child = spawn(builtProgram.command, [builtProgram.launcher, 'serve', 'serve.toml'], {cwd: folder});
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.on('data', data => {
    out += data;
  });
  child.stderr.on('data', data => {
    err += data;
  });
  const baseUrl = await waitFor(() => /Listening on (\S+)\. /.exec(out)?.[1] ?? (child.exitCode !== null && 'ended'), {
    what: 'the service to listen',
    deadlineMs: 30_000,
  });
  return {child, baseUrl, stdout: () => out, stderr: () => err};
};

/** The lines of a branch's log, `shop/branches/m1` unless another one is named, and the header about their window. */
export const fetchAnswer = async (folder: string, baseUrl: string, branch = 'shop/branches/m1') => {
  const token = readFileSync(join(folder, 'token'), 'utf8').trim();
  const response = await fetch(`${baseUrl}/sites/${branch}/logs`, {
    headers: {authorization: `Bearer ${token}`, tenant: 'acme', 'auth-mode': 'local'},
  });
  const body: unknown = await response.json();
  const lines: readonly string[] =
    body && typeof body === 'object' && 'data' in body && Array.isArray(body.data) ? body.data : [];
  return {lines, header: response.headers.get('branchlog-window') ?? ''};
};
