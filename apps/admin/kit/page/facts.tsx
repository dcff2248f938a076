/** A list of names and values; `wide` gives the names more room. */
import type { ReactNode } from 'react';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './facts.module.css';

interface FactsProps {
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

export function Facts({ wide = false, className, children }: FactsProps) {
  return <dl className={joinClasses(styles.facts, wide && styles.wide, className)}>{children}</dl>;
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
