import {execFileSync, spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {describeOutcome, followAll, states} from './follow-rotations.ts';
import type {Rotate} from './rotate.ts';

const isInstalled = spawnSync('logrotate', ['--version']).status === 0;

/** The real program, with these lines in its configuration. */
const logrotate =
  (...directives: readonly string[]): Rotate =>
  (path, round) => {
    const [config, state] = [join(dirname(path), '..', 'logrotate.conf'), join(dirname(path), '..', 'logrotate.state')];
    const lines = directives.map(line => line.replace('ROUND', `${round}`));
    writeFileSync(config, `${path} {\nrotate 9\n${lines.join('\n')}\n}\n`, {mode: 0o600});
    execFileSync('logrotate', ['--force', '--state', state, config], {stdio: 'pipe'});
  };

const ways = {
  create: logrotate('create'),
  'create, compress': logrotate('create', 'compress'),
  'create, delaycompress': logrotate('create', 'compress', 'delaycompress'),
  'create, dateext, compress': logrotate('create', 'compress', 'dateext', 'dateformat -%Y%m%d-ROUND'),
  'create, start 5, compress': logrotate('create', 'compress', 'start 5'),
  'nocreate, compress': logrotate('nocreate', 'compress'),
  copytruncate: logrotate('copytruncate'),
  'copytruncate, compress': logrotate('copytruncate', 'compress'),
};

test
  .skipIf(!isInstalled)
  .each(states.flatMap(state => Object.entries(ways).map(([name, rotate]) => ({name, state, rotate}))))(
  'loses, doubles and marks nothing with the real logrotate: $name, while it is $state',
  async ({rotate, state}) => {
    const outcomes = await followAll(rotate, state);
    const wrong = outcomes.filter(each => each.lost.length + each.doubled.length + each.gaps > 0);
    expect(wrong.map(describeOutcome)).toEqual([]);
  },
);
