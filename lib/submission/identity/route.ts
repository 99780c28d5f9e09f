/** Request to a login route. */
export interface RouteRequest {
  /** Query string without the question mark. */
  readonly query: string;
  /** The header Cookie. */
  readonly cookie?: string | undefined;
}

/** Response of a login route. */
export interface RouteResponse {
  readonly status: number;
  /** Multiple values with the same name are sent as multiple headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

/** Route of the login. */
export interface LoginRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Handles a request; never throws because of its contents. */
  handle(request: RouteRequest): Promise<RouteResponse>;
}
