import {expect, test} from 'vitest';
import {decodeBranches} from '#api/client/decode-branches.ts';
import {groupRecord} from '#app/record/record-fields.ts';
import {branchRecord, type RecordFieldSpec, recordGroupTitles} from '#base/branch-record.ts';
import {checkRecordField} from '#config/serve/branch-base.ts';
import {createTableReader} from '#config/settings/table-reader.ts';
import {makeBranchRecord} from '#service/served/served-records.ts';

const specs: readonly [string, RecordFieldSpec][] = Object.entries(branchRecord);

/** A value that no field with a type accepts. */
const wrong = [[1.5]];

const sampleOf = (key: string, {is}: RecordFieldSpec): unknown => {
  if (typeof is === 'object') {
    const within = Object.entries('table' in is ? is.table : is.list).map(([name, spec]) => [
      name,
      sampleOf(name, spec),
    ]);
    return 'table' in is ? Object.fromEntries(within) : [Object.fromEntries(within)];
  }
  const samples = {
    text: `${key}-text`,
    textOrNull: `${key}-text`,
    time: '2026-11-21T14:02:10.000Z',
    flag: true,
    flagOrNull: true,
    count: 3,
    secret: `${key}-secret`,
    secretOrNull: `${key}-secret`,
    any: `${key}-any`,
    object: {inner: 'x'},
    variables: [{name: 'APP_ROOT', value: '/app'}],
    own: `${key}-own`,
  };
  return samples[is];
};

const sample: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(specs.map(([key, spec]) => [key, sampleOf(key, spec)])),
  troubles: [{reason: 'CrashLoopBackOff'}],
  workloads: ['deployment/web'],
};

const decoded = decodeBranches([sample]);

test('every field of the list is decoded: none of a whole record is unknown, malformed or skipped', () => {
  expect(decoded.skipped).toEqual([]);
  expect(decoded.value[0]?.unknownFields).toEqual({});
  const missing = specs.filter(([key]) => decoded.value[0]?.[key as '_id'] === undefined);
  expect(missing.map(([key]) => key)).toEqual([]);
});

test('every field is shown: a record with one field less has fewer rows, or says less', () => {
  const rowsOf = (record: Readonly<Record<string, unknown>>): string =>
    JSON.stringify(decodeBranches([record]).value.map(branch => groupRecord(branch)));
  const {_id, ...others} = sample;
  const unseen = Object.keys(others).filter(key => rowsOf({...sample, [key]: undefined}) === rowsOf(sample));
  expect(unseen).toEqual([]);
});

test('every field has a part of the record, and every part has fields', () => {
  expect(specs.filter(([, {group}]) => group === undefined)).toEqual([]);
  expect(recordGroupTitles.filter(title => !specs.some(([, {group}]) => group === title))).toEqual([]);
});

test('every field with a type is checked in the configuration of serve', () => {
  const refuses = ([key]: [string, RecordFieldSpec]): boolean => {
    try {
      checkRecordField(createTableReader({}, 'branches', 'serve.toml'), key, wrong);
      return false;
    } catch {
      return true;
    }
  };
  const untyped = ['any', 'own', 'secretOrNull'];
  const passed = specs.filter(spec => !refuses(spec)).map(([key]) => key);
  expect(passed).toEqual(specs.filter(([, {is}]) => untyped.includes(String(is))).map(([key]) => key));
});

test('serve fills in every field of the specification, and none but those of every record before it is built out', () => {
  const known = {createdAtMs: 0, updatedAtMs: 0};
  const keysOf = (status: string | null): readonly string[] =>
    Object.keys(makeBranchRecord('shop', {id: 'b', name: 'main', status, fields: {}, pods: []}, known)).toSorted();
  const ofList = (has: (spec: RecordFieldSpec) => boolean): readonly string[] =>
    specs
      .filter(([, spec]) => has(spec))
      .map(([key]) => key)
      .toSorted();
  expect(keysOf('UP')).toEqual(ofList(({isAdded}) => !isAdded));
  expect(keysOf(null)).toEqual(ofList(({isBase}) => isBase === true));
});
