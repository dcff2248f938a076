/**
 * The thread that solves one seating; it gets the question at its start and posts the answer.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { solveSeating } from '#server/domain/seat/rehousing-solver.ts';
import type { SolveAsk } from './solve.ts';

const { hall, groups, ...terms } = workerData as SolveAsk;
parentPort?.postMessage(solveSeating(hall, groups, terms));
