import {basename} from 'node:path';
import type {StreamNames} from '#service/window/line-stamper.ts';

/** As the kubelet names a container's log: `NAMESPACE_POD_UID/CONTAINER/RESTARTS.log`, and the link to it. */
const containerPaths = [
  /\/pods\/[^/_]+_[^/_]+_[0-9a-f-]{32,36}\/([^/]+)\/\d+\.log$/,
  /\/containers\/[^/_]+_[^/_]+_([^/]+)-[0-9a-f]{64}\.log$/,
];

/** Returns what a log's path says of its writer: the container, if the kubelet named it, or else the file. */
export const namesOfPath = (path: string): StreamNames => {
  const container = containerPaths.map(pattern => pattern.exec(path)?.[1]).find(name => name !== undefined);
  return container === undefined ? {file: basename(path)} : {container};
};
