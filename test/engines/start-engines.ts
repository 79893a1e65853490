import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {basename, join} from 'node:path';
import {waitFor} from '../support/wait-for.ts';

const scripts = process.env.BRANCHLOG_ENGINES;
const folder = process.env.BRANCHLOG_ENGINES_DIR;

const program = join(import.meta.dirname, '../../bin/branchlog.js');
const role = join(import.meta.dirname, '../../docs/kubernetes/role.yaml');

/** Runs one of the scripts of the engines. Throws if there are none, or if it fails. */
const runScript = (name: string, ...args: readonly string[]): void => {
  if (scripts === undefined || folder === undefined) {
    throw new Error('BRANCHLOG_ENGINES and BRANCHLOG_ENGINES_DIR must name two folders: see test/engines/README.md.');
  }
  execFileSync(join(scripts, name), [args[0] ?? '', folder, ...args.slice(1)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
};

/** Ends a program of the engines, by its name. The script's `up` starts it again. */
const endProgram = async (name: string): Promise<void> => {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  const isIt = (pid: string): boolean => {
    const [path = '', ...args] = commandOf(pid).split('\0');
    return basename(path) === name && [path, ...args].some(each => each.includes(`${folder}/`));
  };
  const pids = readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && isIt(pid));
  // An API server that ends in order waits a minute for its streams.
  pids.forEach(pid => void process.kill(Number(pid), name === 'kube-apiserver' ? 'SIGKILL' : 'SIGTERM'));
  // A process that is ending has no command any more, though it is still there.
  await waitFor(() => !pids.some(pid => existsSync(`/proc/${pid}`)), {what: `the end of ${name}`, deadlineMs: 60_000});
};

export type Printed = {readonly code: number | null; readonly stdout: string; readonly stderr: string};

/** Runs the built program, or another one, to its end. */
export const runProgram = (env: NodeJS.ProcessEnv, ...args: readonly string[]): Printed => {
  const {status, stdout, stderr} = spawnSync(process.execPath, [program, ...args], {
    env: {PATH: process.env.PATH, HOME: folder, ...env},
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return {code: status, stdout, stderr};
};

/** Starts the built program. `stop` ends it as Ctrl+C does, and resolves with what it printed. */
export const startProgram = (env: NodeJS.ProcessEnv, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [program, ...args], {
    env: {PATH: process.env.PATH, HOME: folder, ...env},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const {promise: code, resolve} = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    stop: async (): Promise<Printed> => {
      child.kill('SIGINT');
      return {code: await code, stdout, stderr};
    },
  };
};

/** Starts the real Kubernetes. The truth of its containers is what they write to files of the mounted folder. */
export const startKubernetes = () => {
  runScript('kubernetes.sh', 'build');
  runScript('kubernetes.sh', 'up', role);
  const place = String(folder);
  const truth = join(place, 'truth');
  rmSync(truth, {recursive: true, force: true});
  mkdirSync(truth, {recursive: true});
  const kubectl = (input: string | undefined, ...args: readonly string[]): string =>
    execFileSync('kubectl', ['--kubeconfig', join(place, 'kubeconfig'), '--namespace', 'shop', ...args], {
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const node = kubectl(undefined, 'get', 'nodes', '--output', 'jsonpath={.items[0].metadata.name}');
  const containerOf = (name: string, command: string) => ({
    name,
    image: 'localhost/bb:1',
    imagePullPolicy: 'Never',
    env: [{name: 'POD', valueFrom: {fieldRef: {fieldPath: 'metadata.name'}}}],
    volumeMounts: [{name: 'truth', mountPath: '/truth'}],
    // Writes a line to the log and to the truth.
    command: ['sh', '-c', `say() { echo "$1" >>"/truth/$POD"; echo "$1"; }; ${command}`],
  });
  type More = {readonly restart?: string; readonly init?: string; readonly memory?: string};
  const specOf = (command: string, more: More = {}) => ({
    hostNetwork: true,
    nodeName: node,
    dnsPolicy: 'Default',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 3,
    restartPolicy: more.restart ?? 'Always',
    volumes: [{name: 'truth', hostPath: {path: truth}}],
    ...(more.init !== undefined && {initContainers: [containerOf('prepare', more.init)]}),
    containers: [{...containerOf('app', command), ...(more.memory && {resources: {limits: {memory: more.memory}}})}],
  });
  const apply = (object: object): void => {
    kubectl(JSON.stringify(object), 'apply', '--validate=false', '--filename', '-');
  };
  return {
    env: {KUBECONFIG: join(place, 'kubeconfig-limited')},
    kubectl: (...args: readonly string[]): string => kubectl(undefined, ...args),
    /** Runs a shell command as a pod, in which `say` writes a line. */
    runPod: (name: string, command: string, more?: More): void => {
      kubectl(undefined, 'delete', 'pod', name, '--now', '--ignore-not-found');
      apply({apiVersion: 'v1', kind: 'Pod', metadata: {name}, spec: specOf(command, more)});
    },
    runDeployment: (name: string, replicas: number, command: string): void =>
      apply({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {name},
        spec: {
          replicas,
          selector: {matchLabels: {app: name}},
          template: {metadata: {labels: {app: name}}, spec: specOf(command)},
        },
      }),
    /** The lines that the containers of a pod wrote, over all their instances. */
    truthOf: (pod: string): readonly string[] => {
      try {
        return readFileSync(join(truth, pod), 'utf8').trimEnd().split('\n');
      } catch {
        return [];
      }
    },
    /** Whether kubectl prints a line of a pod's log; false while the API server refuses it. */
    hasLog: (pod: string, line: string): boolean => {
      try {
        return kubectl(undefined, 'logs', pod).split('\n').includes(line);
      } catch {
        return false;
      }
    },
    until: (what: string, isSo: () => boolean, deadlineMs = 240_000): Promise<true> =>
      waitFor(isSo, {what, deadlineMs}),
    restart: async (name: 'kubelet' | 'kube-apiserver'): Promise<void> => {
      await endProgram(name);
      runScript('kubernetes.sh', 'up', role);
    },
    /**
     * Restarts all with a new authority and new tokens. Returns what gives the user of `env` the kubeconfig that fits,
     * under the name of the one that it has.
     */
    renewAuthority: async (): Promise<() => void> => {
      execFileSync('sh', ['-ec', renewal], {cwd: join(place, 'k8s'), stdio: 'ignore'});
      await Promise.all(['kubelet', 'kube-controller-manager', 'kube-apiserver'].map(endProgram));
      runScript('kubernetes.sh', 'up', role);
      return () => renameSync(join(place, 'kubeconfig-next'), join(place, 'kubeconfig-limited'));
    },
    stop: (): void => runScript('kubernetes.sh', 'down'),
  };
};

/** Makes an authority and a certificate of the node, changes the tokens, and writes kubeconfigs that know them. */
const renewal = `
umask 077
old=$(base64 -w 0 ca.crt)
openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=renewed -keyout ca.key -out ca.crt
openssl x509 -req -in node.csr -extfile node.ext -days 365 -CA ca.crt -CAkey ca.key -CAcreateserial -out node.crt
renew() { sed -e "s|$old|$(base64 -w 0 ca.crt)|" -e "s/token: [0-9a-f]*/token: $1/" "$2" >"$3.new"; mv "$3.new" "$3"; }
admin=$(openssl rand -hex 20) limited=$(openssl rand -hex 20)
printf '%s,admin,1,"system:masters"\\n%s,limited,2\\n' "$admin" "$limited" >tokens.csv
renew "$admin" ../kubeconfig ../kubeconfig
renew "$limited" ../kubeconfig-limited ../kubeconfig-next
`;

/** Starts the real Docker. */
export const startDocker = () => {
  runScript('docker.sh', 'up');
  const env = {DOCKER_HOST: `unix://${join(String(folder), 'docker.sock')}`};
  const docker = (...args: readonly string[]): string =>
    spawnSync('docker', args, {env: {PATH: process.env.PATH, HOME: folder, ...env}, encoding: 'utf8'}).stdout;
  const restart = async (): Promise<void> => {
    await endProgram('dockerd');
    runScript('docker.sh', 'up');
  };
  return {env, docker, restart, stop: (): void => runScript('docker.sh', 'down')};
};

/** Whether Podman is installed. */
export const hasPodman = spawnSync('podman', ['--version']).status === 0;

const containersConf = `
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
log_driver = "k8s-file"
netns = "host"
seccomp_profile = "unconfined"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
`;

/** Starts the real Podman, with all that it keeps below the folder of the engines, and an image of busybox. */
export const startPodman = () => {
  const place = join(String(folder), 'podman');
  rmSync(place, {recursive: true, force: true});
  mkdirSync(join(place, 'root/bin'), {recursive: true});
  mkdirSync(join(place, '.config/containers'), {recursive: true});
  writeFileSync(join(place, '.config/containers/policy.json'), '{"default": [{"type": "insecureAcceptAnything"}]}');
  writeFileSync(join(place, 'containers.conf'), containersConf);
  writeFileSync(
    join(place, 'storage.conf'),
    `[storage]\ndriver = "vfs"\ngraphroot = "${place}/data"\nrunroot = "${place}/run"\n`,
  );
  const env = {
    PATH: `${process.env.PATH}:/usr/sbin`,
    HOME: place,
    CONTAINERS_CONF: join(place, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(place, 'storage.conf'),
  };
  const podman = (...args: readonly string[]): string =>
    execFileSync('podman', args, {env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
  copyFileSync('/bin/busybox', join(place, 'root/bin/busybox'));
  for (const name of ['sh', 'sleep', 'usleep', 'head', 'tr']) {
    symlinkSync('busybox', join(place, 'root/bin', name));
  }
  execFileSync('tar', ['-C', join(place, 'root'), '-cf', join(place, 'image.tar'), '.']);
  podman('import', join(place, 'image.tar'), 'bb:1');
  const socket = join(place, 'podman.sock');
  const service = spawn('podman', ['system', 'service', '--time', '0', `unix://${socket}`], {env, stdio: 'ignore'});
  return {
    env: {CONTAINER_HOST: `unix://${socket}`},
    isUp: () => waitFor(() => existsSync(socket), {what: 'the socket of Podman', deadlineMs: 60_000}),
    run: (name: string, command: string): void => {
      podman('run', '--detach', '--name', name, 'bb:1', 'sh', '-c', command);
    },
    stateOf: (name: string): string => podman('inspect', '--format', '{{.State.Status}}', name).trim(),
    stop: (): void => {
      podman('rm', '--all', '--force', '--time', '0');
      service.kill();
      rmSync(place, {recursive: true, force: true});
    },
  };
};
