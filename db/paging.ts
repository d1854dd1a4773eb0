/** One page of a list; `page` counts from 1. */
export interface Paging {
  readonly page: number;
  readonly pageSize: number;
}
