// Launches, claims and reads with a client that oapi-codegen generated, and solana-go.
//
// Arguments: `launch` API KEY_FILE QUOTE_MINT LOGO, `claim` API KEY_FILE MINT, `read` API MINT SIGNATURE
// WALLET QUOTE_MINT. Prints one JSON document.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"example.test/client/client"
	"github.com/gagliardetto/solana-go"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// The data of an answer of the 200 kind.
func good[T any](answer *T, body []byte) T {
	if answer == nil {
		panic("answered " + string(body))
	}
	return *answer
}

// Signs as the first of two signers; the platform's place stays empty.
func signed(text string, wallet solana.PrivateKey) string {
	transaction := must(solana.TransactionFromBase64(text))
	must(transaction.PartialSign(func(key solana.PublicKey) *solana.PrivateKey {
		if key.Equals(wallet.PublicKey()) {
			return &wallet
		}
		return nil
	}))
	return must(transaction.ToBase64())
}

func launch(api *client.ClientWithResponses, keyFile, quoteMint, logo string) map[string]string {
	ctx := context.Background()
	wallet := must(solana.PrivateKeyFromSolanaKeygenFile(keyFile))
	prepare := must(api.PrepareLaunchWithResponse(ctx, client.PrepareLaunchBody{
		CreatorWallet: wallet.PublicKey().String(), QuoteMint: quoteMint, Name: "Generated", Symbol: "GEN", Logo: logo,
	}))
	prepared := good(prepare.JSON200, prepare.Body).Data
	submit := must(api.SubmitLaunchWithResponse(ctx, client.SubmitLaunchBody{
		SignedQuote: prepared.SignedQuote, SignedTransaction: signed(prepared.PaymentTransaction, wallet), Logo: logo,
	}))
	submitted := good(submit.JSON200, submit.Body).Data
	signature, mint := submitted.PaymentSignature, submitted.Mint
	for mint == nil {
		time.Sleep(time.Second)
		status := must(api.GetLaunchStatusWithResponse(ctx, signature))
		mint = good(status.JSON200, status.Body).Data.Mint
	}
	return map[string]string{"mint": *mint, "signature": signature}
}

func claim(api *client.ClientWithResponses, keyFile, mint string) map[string]string {
	ctx := context.Background()
	wallet := must(solana.PrivateKeyFromSolanaKeygenFile(keyFile))
	fees := must(api.GetClaimableFeesWithResponse(ctx, mint))
	claimable := good(fees.JSON200, fees.Body).Data.Claimable
	prepare := must(api.PrepareClaimWithResponse(ctx, mint, client.PrepareClaimBody{
		CreatorWallet: wallet.PublicKey().String(),
	}))
	prepared := good(prepare.JSON200, prepare.Body).Data
	body := client.SubmitClaimBody{
		CreatorWallet: wallet.PublicKey().String(), IntentId: prepared.IntentId,
		SignedTransaction: signed(prepared.Transaction, wallet),
	}
	for {
		submit := must(api.SubmitClaimWithResponse(ctx, mint, body))
		submitted := good(submit.JSON200, submit.Body).Data
		if submitted.Landed != nil {
			return map[string]string{"signature": submitted.Signature, "raw": claimable.Quote.AmountRaw}
		}
		time.Sleep(time.Second)
	}
}

// Calls every function of the client that reads; `{function: HTTP status}`. Ends where an answer cannot be parsed.
func read(api *client.ClientWithResponses, mint, signature, wallet, quoteMint string) map[string]int {
	statuses := map[string]int{}
	methods := reflect.TypeOf(api)
	for index := range methods.NumMethod() {
		method := methods.Method(index)
		name := strings.TrimSuffix(method.Name, "WithResponse")
		if name == method.Name || strings.HasPrefix(name, "Prepare") || strings.HasPrefix(name, "Submit") {
			continue
		}
		results := method.Func.Call(arguments(reflect.ValueOf(api), method.Type, mint, signature, wallet, quoteMint))
		if failed, isError := results[1].Interface().(error); isError {
			panic(name + ": " + failed.Error())
		}
		answer := results[0].Elem()
		status := int(results[0].MethodByName("StatusCode").Call(nil)[0].Int())
		if parsed := answer.FieldByName(fmt.Sprintf("JSON%d", status)); !parsed.IsValid() || parsed.IsNil() {
			panic(fmt.Sprintf("%s answered %d, which is not described", name, status))
		}
		statuses[name] = status
	}
	return statuses
}

// What a reading function takes: a context, a mint, signature or wallet, a number, and options, of which only a
// required quote token is set.
func arguments(api reflect.Value, function reflect.Type, mint, signature, wallet, quoteMint string) []reflect.Value {
	values := []reflect.Value{api, reflect.ValueOf(context.Background())}
	for index := 2; index < function.NumIn()-1; index++ {
		kind := function.In(index)
		switch kind.Kind() {
		case reflect.String:
			text := mint
			if strings.Contains(function.Out(0).String(), "GetLaunch") {
				text = signature
			} else if strings.Contains(function.Out(0).String(), "Wallet") {
				text = wallet
			}
			values = append(values, reflect.ValueOf(text))
		case reflect.Pointer:
			options := reflect.New(kind.Elem())
			if required := options.Elem().FieldByName("QuoteMint"); required.IsValid() && required.Kind() == reflect.String {
				required.SetString(quoteMint)
			}
			values = append(values, options)
		default:
			values = append(values, reflect.ValueOf(1).Convert(kind))
		}
	}
	return values
}

func main() {
	what, url, rest := os.Args[1], os.Args[2], os.Args[3:]
	api := must(client.NewClientWithResponses(url))
	var done any
	switch what {
	case "launch":
		done = launch(api, rest[0], rest[1], rest[2])
	case "claim":
		done = claim(api, rest[0], rest[1])
	default:
		done = read(api, rest[0], rest[1], rest[2], rest[3])
	}
	must(0, json.NewEncoder(os.Stdout).Encode(done))
}
