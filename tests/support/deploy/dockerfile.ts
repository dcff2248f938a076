/**
 * Replays a Dockerfile without Docker: each stage is a folder that stands for a root, and its
 * steps are run there in their order.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, stat } from 'node:fs/promises';
import { join, matchesGlob, relative } from 'node:path';

interface Step {
  word: string;
  rest: string;
}

export interface Image {
  /** The folder that stands for its root. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  cmd: string[];
  health: string[];
}

interface Replay {
  /** The folder with the sources. */
  context: string;
  dockerfile: string;
  /** An empty folder, made for the stages. */
  folder: string;
  /** The environment of what a step runs; its PATH has the image's programs. */
  env: Record<string, string>;
  /** Called after each step, with the folder that the stage works in. */
  after?: (step: Step, at: string) => void;
}

function readSteps(text: string): Step[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => {
      const [word = ''] = line.split(' ');
      return { word, rest: line.slice(word.length + 1).trim() };
    });
}

const asList = (rest: string) => JSON.parse(rest.slice(rest.indexOf('['))) as string[];

/** Absolute paths of the image, in the folder that stands for its root. */
export function inRoot(root: string, text: string): string {
  return text.replaceAll(/(?<=^|[\s=])\/(?=\w)/g, `${root}/`);
}

/** What Docker would send: the sources without what the ignore file names. */
async function copyContext({ context, dockerfile }: Replay, into: string): Promise<void> {
  const ignored = (await readFile(`${dockerfile}.dockerignore`, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  await cp(context, into, {
    recursive: true,
    filter: (path) => {
      const name = relative(context, path);
      return !ignored.some((pattern) => matchesGlob(name, pattern));
    },
  });
}

/** @throws the error of the first step that fails */
export async function replayDockerfile(replay: Replay): Promise<Image> {
  const stages: Record<string, Image> = {};
  let stage: Image | undefined;
  for (const step of readSteps(await readFile(replay.dockerfile, 'utf8'))) {
    if (step.word === 'FROM') {
      const name = / AS (\w+)$/.exec(step.rest)?.[1] ?? 'image';
      const root = join(replay.folder, name);
      await mkdir(root, { recursive: true });
      stage = stages[name] = { root, workdir: '/', env: {}, cmd: [], health: [] };
    } else await runStep(stage!, { step, stages, replay });
    replay.after?.(step, join(stage!.root, stage!.workdir));
  }
  return stages['image']!;
}

async function runStep(
  stage: Image,
  {
    step: { word, rest },
    stages,
    replay,
  }: { step: Step; stages: Record<string, Image>; replay: Replay },
): Promise<void> {
  const at = join(stage.root, stage.workdir);
  if (word === 'WORKDIR') {
    stage.workdir = rest;
    await mkdir(join(stage.root, rest), { recursive: true });
  } else if (word === 'ENV') {
    for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g))
      stage.env[name] = inRoot(stage.root, value);
  } else if (word === 'RUN') {
    execFileSync('sh', ['-ec', inRoot(stage.root, rest)], {
      cwd: at,
      env: { ...replay.env, ...stage.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1e8,
    });
  } else if (word === 'COPY') await copy(at, rest.split(' '), { stages, replay });
  else if (word === 'CMD') stage.cmd = asList(rest);
  else if (word === 'HEALTHCHECK') stage.health = asList(rest);
}

/** Copies as Docker does: a folder's contents go into the target, a file goes under its name. */
async function copy(
  at: string,
  words: string[],
  { stages, replay }: { stages: Record<string, Image>; replay: Replay },
): Promise<void> {
  const from = words[0]!.startsWith('--from=') ? words.shift()!.slice('--from='.length) : null;
  const target = join(at, words.pop()!);
  if (from === null && words[0] === '.') return copyContext(replay, target);
  const source = from === null ? replay.context : stages[from]!.root;
  for (const word of words) {
    const path = join(source, word);
    await mkdir(target, { recursive: true });
    // Hard links take no more room on the disk.
    execFileSync('cp', [
      from === null ? '-a' : '-al',
      (await stat(path)).isDirectory() ? `${path}/.` : path,
      target,
    ]);
  }
}
