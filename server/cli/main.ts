/** The command line: finds the command, runs it, reports the outcome in words and exit code. */
import { readConfig, ConfigError, hideSecrets, wantsColour, type Config } from '#server/config.ts';
import type { BuiltContext } from '#server/context.ts';
import { errorReplyOf } from '#server/contract/errors.ts';
import { BackupFault } from '#server/domain/backup.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { product } from '#server/services/kit/version.ts';
import { Misused, Refused, type Command, type CommandIo } from './command.ts';
import { commands } from './commands.ts';
import { nearest } from './nearest.ts';
import { openBeside } from './open.ts';

/** Other users of the machine must not read the files that this process writes. */
process.umask(0o077);

const program = 'npm run admin --';

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const json = args.includes('--json');
  const words = args.filter((word) => word !== '--json');
  const isHelp = words.includes('--help') || words.includes('-h');
  if (words[0] === '--version') return tellVersion(json);
  const [name = 'help', ...rest] = words.filter((word) => word !== '--help' && word !== '-h');
  if (name === 'help' || isHelp) return help(name === 'help' ? rest[0] : name);
  const command = commands.find((one) => one.name === name);
  if (command === undefined) return unknown(name, json);
  return runCommand(command, rest, json);
}

function tellVersion(json: boolean): number {
  console.log(json ? JSON.stringify({ ok: true, ...product }) : product.version);
  return 0;
}

async function runCommand(command: Command, words: string[], json: boolean): Promise<number> {
  let config: Config | null = null;
  let built: BuiltContext | null = null;
  const io: CommandIo = {
    get config() {
      config ??= readConfig(undefined, []);
      return config;
    },
    json,
    colour: wantsColour(process.stdout.isTTY),
    say(line) {
      if (!json) console.log(line);
    },
    report(value) {
      if (json) console.log(JSON.stringify(value));
    },
    async open() {
      built ??= await openBeside(io.config);
      return built;
    },
  };
  try {
    return await command.run(words, io);
  } catch (error) {
    return tell(error, command, json);
  } finally {
    // TypeScript does not see that a function has set `built`, so a cast is needed.
    await (built as BuiltContext | null)?.close();
  }
}

/** Prints the error on standard error, or with `--json` as the JSON object. */
function tell(error: unknown, command: Command, json: boolean): number {
  const { code, message: words } = inWords(error);
  const message = hideSecrets(words);
  const isMisused = error instanceof Misused;
  if (json) console.log(JSON.stringify({ ok: false, code, message }));
  else {
    console.error(message);
    if (isMisused) for (const line of usageOf(command)) console.error(line);
  }
  return isMisused ? 2 : 1;
}

function inWords(error: unknown): { code: string; message: string } {
  if (error instanceof Misused) return { code: 'usage', message: error.message };
  if (error instanceof Refused) return { code: 'refused', message: error.message };
  if (error instanceof BackupFault) return { code: error.code, message: error.message };
  if (error instanceof ConfigError) return { code: 'config', message: error.message };
  if (error instanceof Refusal) return errorReplyOf(error.code, error.detail);
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'unexpected', message: `Qualcosa è andato storto: ${reason}` };
}

function unknown(name: string, json: boolean): number {
  const meant = nearest(
    name,
    commands.map((command) => command.name),
  );
  const hint = meant === null ? `Vedi: ${program} help` : `Forse volevi dire «${meant}».`;
  const message = `Non conosco il comando «${name}». ${hint}`;
  if (json) console.log(JSON.stringify({ ok: false, code: 'usage', message }));
  else console.error(message);
  return 2;
}

function help(name: string | undefined): number {
  const command = commands.find((one) => one.name === name);
  if (command !== undefined) {
    console.log(command.help);
    for (const line of [...usageOf(command), ...(command.more ?? [])]) console.log(line);
    return 0;
  }
  if (name !== undefined) return unknown(name, false);
  console.log(`Uso: ${program} COMANDO …   (--json: un oggetto JSON invece delle righe)\n`);
  const widest = Math.max(...commands.map((one) => one.name.length));
  for (const one of commands) console.log(`  ${one.name.padEnd(widest)}  ${one.help}`);
  console.log(
    `\nCome si usa uno: ${program} help COMANDO. Esito: 0 fatto, 1 rifiutato o non riuscito, 2 uso sbagliato.`,
  );
  return 0;
}

function usageOf({ usage }: Command): string[] {
  return usage.map((form) => `  ${program} ${form}`);
}
