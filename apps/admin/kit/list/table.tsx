/** A table of the office; with `cards` its rows become cards where the screen is narrow. */
import type { ComponentProps } from 'react';
import { joinClasses } from '#apps/admin/kit/join-classes.ts';
import styles from './table.module.css';

export interface TableProps extends ComponentProps<'table'> {
  cards?: boolean;
}

export function Table({ cards = false, className, ...rest }: TableProps) {
  return (
    <table {...rest} className={joinClasses(styles.table, cards && styles.cards, className)} />
  );
}
