/**
 * The resources that the processes of this machine have used so far, read from Linux's `/proc`.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second on every Linux that Node runs on. */
const msPerTick = 10;

/** Milliseconds of processor time. */
export interface Used {
  user: number;
  system: number;
}

export interface Process extends Used {
  /** Process number and start time, because the system reuses numbers. */
  key: string;
  pid: number;
  parent: number;
  name: string;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

function parseStat(pid: number, text: string): Process {
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  return {
    key: `${pid}:${fields[19]}`,
    pid,
    parent: Number(fields[1]),
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    user: Number(fields[11]) * msPerTick,
    system: Number(fields[12]) * msPerTick,
  };
}

export function readProcesses(): Process[] {
  const found: Process[] = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (Number.isNaN(pid)) continue;
    const text = readOrNull(`/proc/${pid}/stat`);
    if (text !== null) found.push(parseStat(pid, text));
  }
  return found;
}

/** The command line and environment of a process; both are empty if the process is gone. */
export function readStart(pid: number): { command: string; environment: Map<string, string> } {
  const words = readOrNull(`/proc/${pid}/cmdline`) ?? '';
  const pairs = (readOrNull(`/proc/${pid}/environ`) ?? '').split('\0');
  const environment = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at > 0) environment.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return { command: words.replaceAll('\0', ' '), environment };
}

/** All processors of the machine together; `system` is the kernel's share. */
export function readMachine(): Used & { idle: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n')[0]!;
  const [user, nice, system, idle, wait, irq, softirq] = line.split(/\s+/).slice(1).map(Number);
  return {
    user: (user! + nice!) * msPerTick,
    system: (system! + irq! + softirq!) * msPerTick,
    idle: (idle! + wait!) * msPerTick,
  };
}
