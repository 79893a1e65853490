import {expect, test} from 'vitest';
import {createFieldProblems} from '#api/client/field-reader.ts';
import {maskRecord} from '#api/client/mask-record.ts';

const mask = (value: unknown): unknown => JSON.parse(JSON.stringify(maskRecord(value, '', createFieldProblems())));

test('masks the value of a pair whose name is a secret, however the pair spells its fields', () => {
  expect(
    mask([
      {name: 'DB_PASSWORD', value: 'a'},
      {key: 'API_TOKEN', value: 'b'},
      {Name: 'GITHUB_PAT', Value: 'c'},
      {KEY: 'stripe_sk', VALUE: 4},
      {key: 'APP_ROOT', value: '/srv'},
      {Key: 'note', Value: 'Password=e'},
    ]),
  ).toEqual([
    {name: 'DB_PASSWORD', value: '********'},
    {key: 'API_TOKEN', value: '********'},
    {Name: 'GITHUB_PAT', Value: '********'},
    {KEY: 'stripe_sk', VALUE: '********'},
    {key: 'APP_ROOT', value: '/srv'},
    {Key: 'note', Value: '********'},
  ]);
});

test('masks a key that names nothing: there is no value beside it', () => {
  expect(mask({key: 'a', keys: ['b']})).toEqual({key: '********', keys: ['b']});
});

test('masks the argument after a flag of a secret', () => {
  expect(mask({args: ['--host', 'db', '--password', 'a', '--token=b', '--verbose']})).toEqual({
    args: ['--host', 'db', '--password', '********', '********', '--verbose'],
  });
});

test('masks secrets inside texts and lists, and short names of secrets', () => {
  expect(
    mask({
      connection: 'Server=db;User Id=sa;Password=a;',
      list: ['APP_ENV=prod', 'PASSWORD=b'],
      ini: '[db]\nuser = sa\npassword = c\n',
      note: 'renewed with ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      pin: 1234,
      otp: 'd',
      wallet: {seed: 'e'},
      pinned: true,
      seedling: 'oak',
      spin: 3,
      lockedUntil: null,
    }),
  ).toEqual({
    connection: '********',
    list: ['APP_ENV=prod', '********'],
    ini: '********',
    note: '********',
    pin: '********',
    otp: '********',
    wallet: {seed: '********'},
    pinned: true,
    seedling: 'oak',
    spin: 3,
    lockedUntil: null,
  });
});
