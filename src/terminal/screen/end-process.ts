/** Calls that a thread of libuv carries out: files and names of hosts. One that hangs holds up an ordinary exit. */
const threadedCalls = /^(?:FSReq|FileHandle|GetAddrInfo|GetNameInfo)/;

/**
 * Ends the process with this exit code, now. `process.exit` waits for the threads of file calls, so a FIFO or a home
 * folder on a stalled network file system would keep a dead process for ever. Where such a call is under way, the
 * process is replaced by a shell that ends with the code, which ends all threads at once; without a shell it ends by
 * SIGKILL.
 */
export const endProcess = (host: NodeJS.Process, code: number): void => {
  if (!host.getActiveResourcesInfo().some(name => threadedCalls.test(name))) {
    host.exit(code);
    return;
  }
  // The work that an exit would still do: end child processes, restore the terminal.
  host.emit('exit', code);
  // Node warns on stderr that execve is experimental.
  host.removeAllListeners('warning');
  try {
    host.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  } catch {
    // There is no such shell.
  }
  host.kill(host.pid, 'SIGKILL');
};
