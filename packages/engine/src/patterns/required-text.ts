import { bytesOf, type PatternNode } from './pattern-tree.ts';

/** The longest run of bytes so far, and the current one. */
interface Runs {
  longest: string;
  current: string;
}

/**
 * A text that every matching subject contains, as long as can be seen syntactically; "" if there is none. Searching for
 * it takes a fraction of the automaton's time.
 */
export function requiredText(tree: PatternNode, ignoreCase: boolean): string {
  const runs: Runs = { longest: '', current: '' };
  collect(tree, ignoreCase, runs);
  endRun(runs);
  return runs.longest;
}

function collect(node: PatternNode, ignoreCase: boolean, runs: Runs): void {
  switch (node.kind) {
    case 'bytes': {
      const [first, last, ...more] = bytesOf(node, ignoreCase);
      if (first !== undefined && first === last && more.length === 0) runs.current += String.fromCharCode(first);
      else endRun(runs);
      return;
    }
    case 'assertion':
      return;
    case 'sequence':
      for (const part of node.parts) collect(part, ignoreCase, runs);
      return;
    case 'group':
      return collect(node.body, ignoreCase, runs);
    case 'choice':
      return endRun(runs);
    case 'repetition':
      endRun(runs);
      if (node.min > 0) collect(node.body, ignoreCase, runs);
      endRun(runs);
  }
}

function endRun(runs: Runs): void {
  if (runs.current.length > runs.longest.length) runs.longest = runs.current;
  runs.current = '';
}
