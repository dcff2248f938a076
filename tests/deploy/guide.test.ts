/** The guide from a bare Debian to the first sale: each command as it is printed names what is there. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGuide } from '#apps/admin/health/read-guide.ts';
import { stripeWebhookPath } from '#server/contract/webhooks.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const guide = read('.deploy/METTERE-IN-SCENA.md');
const commands = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
  block!.trim().split('\n'),
);
const { scripts, devDependencies } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
};

test('its files, scripts, units and versions exist', () => {
  const files = commands.flatMap((line) => line.match(/(?<= )\.deploy\/[\w@.-]+/g) ?? []);
  expect(files.length).toBeGreaterThan(8);
  // The last one is made by the line before.
  const made = ['.deploy/environment'];
  expect(files.filter((file) => !made.includes(file) && !existsSync(join(root, file)))).toEqual([]);
  const run = commands.flatMap((line) => /npm run ([\w:]+)/.exec(line)?.[1] ?? []);
  expect(run.filter((name) => !(name in scripts))).toEqual([]);
  const verbs = commands.flatMap((line) => /^casa ([\w-]+)/.exec(line)?.[1] ?? []);
  expect(verbs.length).toBeGreaterThan(3);
  expect(verbs.filter((verb) => !existsSync(join(root, `server/cli/${verb}.ts`)))).toEqual([]);
  const units = commands
    .filter((line) => /systemctl (?:enable|disable|restart)/.test(line))
    .flatMap((line) => line.match(/botteghino[\w@-]*/g) ?? []);
  const isUnit = (name: string) =>
    existsSync(join(root, '.deploy', `${name.replace(/@\d+$/, '@')}.service`));
  expect(units.length).toBeGreaterThan(5);
  expect(units.filter((name) => !isUnit(name))).toEqual([]);
  expect(guide).toContain(`/v${devDependencies['node']}/node-v${devDependencies['node']}-`);
  expect(guide).toContain(`https://biglietti.teatro.example${stripeWebhookPath}`);
});

test('its settings are in the example, and its folders are those of the units', () => {
  const example = read('.deploy/environment.example');
  const named = new Set(guide.match(/(?<=`)[A-Z]+_[A-Z_]+(?=[`=])/g));
  expect(named.size).toBeGreaterThan(10);
  const unknown = [...named].filter((name) => !new RegExp(`^#?${name}=`, 'm').test(example));
  expect(unknown).toEqual([]);
  const unit = read('.deploy/botteghino.service');
  for (const place of ['/opt/botteghino', '/etc/botteghino/environment', '/var/backups/botteghino'])
    expect([unit.includes(place), guide.includes(place)]).toEqual([true, true]);
});

test('the office shows all of it: every chapter, every command as it is printed, and links that lead to a chapter', () => {
  const parts = readGuide(guide);
  const chapters = parts.filter((part) => part.kind === 'chapter');
  const titles = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(chapters.map(({ title }) => title)).toEqual(titles);
  const shown = parts.flatMap((part) => (part.kind === 'commands' ? part.text.split('\n') : []));
  expect(shown).toEqual(commands);
  const words = parts.map((part) => (part.kind === 'words' ? part.html : '')).join('');
  const links = [...words.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href);
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((href) => !chapters.some(({ id }) => href === `#${id}`))).toEqual([]);
});
