import {EventEmitter} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, onTestFinished} from 'vitest';
import {runServe} from '#cli/serve.ts';
import {waitFor} from '../support/wait-for.ts';

/** Runs the service of a folder in this process, with signals from the test, until the test ends. */
export const runService = async (folder: string, config: string, options: {readonly logsRequests?: boolean} = {}) => {
  const configPath = join(folder, 'serve.toml');
  writeFileSync(configPath, config);
  const signals = new EventEmitter();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let [out, err] = ['', ''];
  stdout.on('data', data => {
    out += data;
  });
  stderr.on('data', data => {
    err += data;
  });
  const ended = runServe({configPath, stdout, stderr, signals, ...options});
  const find = () => /Listening on (\S+)\. /.exec(out)?.[1];
  const baseUrl = await Promise.race([ended.then(() => undefined), waitFor(find, {what: 'the service to listen'})]);
  onTestFinished(async () => {
    signals.emit('SIGTERM');
    const code = await ended;
    if (baseUrl !== undefined) {
      expect(code).toBe(143);
    }
  });
  return {
    /** Empty if the service ended at once. */
    baseUrl: baseUrl ?? '',
    signals,
    ended,
    stderr: () => err,
    reload: async (text: string) => {
      const before = err.split('reloaded').length;
      writeFileSync(configPath, text);
      signals.emit('SIGHUP');
      await waitFor(() => err.split('reloaded').length > before, {what: 'the reload'});
    },
  };
};
