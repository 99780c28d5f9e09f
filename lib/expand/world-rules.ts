import { type Problem, type Workload } from '../api';
import { type World } from './world';

/** Reports what a workload asks for and its world does not offer. */
export function worldProblems(_workload: Workload, _world: World, _report: (problem: Problem) => void): void {
  return;
}
